# Finds MLIR and LLVM 22.1 (-DMLIR_DIR/-DLLVM_DIR, else the SDK's pip packages)
# and makes them fit for static linking.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

find_package(Python3 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
set(Python_EXECUTABLE ${Python3_EXECUTABLE})

if(NOT MLIR_DIR)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "
from importlib.metadata import distribution as d
print(d('xtc-mlir-dev').locate_file('mlir/lib/cmake/mlir'),
      d('xtc-llvm-dev').locate_file('llvm/lib/cmake/llvm'), sep=';', end='')"
    OUTPUT_VARIABLE _dirs RESULT_VARIABLE _status ERROR_QUIET)
  if(_status EQUAL 0)
    list(GET _dirs 0 MLIR_DIR)
    list(GET _dirs 1 LLVM_DIR)
  endif()
endif()

find_package(MLIR 22.1 REQUIRED CONFIG)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION}: ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(LLVM_ENABLE_WARNINGS ON) # else HandleLLVMOptions passes -w
include(HandleLLVMOptions)

# The pip SDK was built with LLVM_LINK_LLVM_DYLIB: its static MLIR libraries
# name libLLVM.so (136 MB) as a dependency. Name the archives in its place.
set(LLVM_LINK_LLVM_DYLIB OFF)
add_library(coop_static_llvm INTERFACE)
llvm_map_components_to_libnames(_llvm
  support core asmparser binaryformat bitreader bitwriter irreader linker
  remarks targetparser frontendopenmp transformutils passes target)
target_link_libraries(coop_static_llvm INTERFACE ${_llvm})
foreach(_target ${MLIR_EXPORTED_TARGETS})
  foreach(_property INTERFACE_LINK_LIBRARIES MLIR_AGGREGATE_DEP_LIBS_IMPORTED)
    get_target_property(_libs ${_target} ${_property})
    if("LLVM" IN_LIST _libs)
      list(TRANSFORM _libs REPLACE "^LLVM$" "coop_static_llvm")
      set_target_properties(${_target} PROPERTIES ${_property} "${_libs}")
    endif()
  endforeach()
endforeach()
