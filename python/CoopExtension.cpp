//===- CoopExtension.cpp - The Python module _coop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Coop.h"
#include "coop/CAPI/Passes.h"

#include "mlir/Bindings/Python/Diagnostics.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

static std::string toString(MlirStringRef text) {
  return std::string(text.data, text.length);
}

static MlirStringRef toRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

using NamePairs = std::vector<std::pair<std::string, std::string>>;

namespace mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::coop {

struct GroupType : PyConcreteType<GroupType> {
  static constexpr IsAFunctionTy isaFunction = coopTypeIsAGroup;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      coopGroupTypeGetTypeID;
  static constexpr const char *pyClassName = "GroupType";
  static inline const MlirStringRef name = coopGroupTypeGetName();
  using Base::Base;

  static GroupType get(std::string scope, int64_t width,
                       DefaultingPyLocation location) {
    PyMlirContextRef context = location->getContext();
    CollectDiagnosticsToStringScope errors(context->get());
    MlirType type =
        coopGroupTypeGetChecked(location.get()->get(), toRef(scope), width);
    if (mlirTypeIsNull(type))
      throw nb::value_error(errors.takeMessage().c_str());
    return GroupType(context, type);
  }

  static void bindDerived(ClassTy &c) {
    c.def_static("get", &GroupType::get, nb::arg("scope"),
                 nb::arg("width") = 32, nb::arg("loc") = nb::none());
    c.def_prop_ro("scope", [](GroupType &self) {
      return toString(coopGroupTypeGetScope(self));
    });
    c.def_prop_ro("width",
                  [](GroupType &self) { return coopGroupTypeGetWidth(self); });
  }
};

struct TempStorageType : PyConcreteType<TempStorageType> {
  static constexpr IsAFunctionTy isaFunction = coopTypeIsATempStorage;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      coopTempStorageTypeGetTypeID;
  static constexpr const char *pyClassName = "TempStorageType";
  static inline const MlirStringRef name = coopTempStorageTypeGetName();
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](DefaultingPyMlirContext context) {
          return TempStorageType(context->getRef(),
                                 coopTempStorageTypeGet(context->get()));
        },
        nb::arg("context") = nb::none());
  }
};

} // namespace mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::coop

static NamePairs pipelineStages(const std::string &target,
                                int64_t launchDynamicBytes,
                                const std::string &participation,
                                bool keepUserBarriers, bool checkAssumptions) {
  NamePairs stages;
  coopForEachPipelineStage(
      toRef(target), launchDynamicBytes, toRef(participation), keepUserBarriers,
      checkAssumptions,
      [](MlirStringRef name, MlirStringRef passes, void *to) {
        static_cast<NamePairs *>(to)->emplace_back(
            toString(name), "builtin.module(" + toString(passes) + ")");
      },
      &stages);
  return stages;
}

static std::string cudaSource(MlirOperation op) {
  std::string source;
  coopPrintCUDASource(
      op,
      [](MlirStringRef part, void *to) {
        static_cast<std::string *>(to)->append(part.data, part.length);
      },
      &source);
  return source;
}

static NamePairs layoutProbes(MlirOperation op) {
  NamePairs probes;
  coopForEachLayoutProbe(
      op,
      [](MlirStringRef name, MlirStringRef expression, void *to) {
        static_cast<NamePairs *>(to)->emplace_back(toString(name),
                                                   toString(expression));
      },
      &probes);
  return probes;
}

using Layouts = std::map<std::string, std::pair<int64_t, int64_t>>;

static void attachLayouts(MlirOperation op, const Layouts &layouts) {
  for (const auto &[name, layout] : layouts)
    if (coopAttachScratchLayout(op, toRef(name), layout.first, layout.second) ==
        0)
      throw nb::key_error(("no operation wants '" + name + "'").c_str());
}

static nb::dict
planScratch(const std::vector<std::pair<int64_t, int64_t>> &items,
            const std::string &relations) {
  if (relations.size() != items.size() * items.size())
    throw nb::value_error("relations need a letter for each pair of items");
  std::vector<CoopPlanItem> planned;
  for (auto [size, alignment] : items) {
    if (size < 1 || alignment < 1 || (alignment & (alignment - 1)) != 0)
      throw nb::value_error("an item needs a positive size and an alignment "
                            "that is a power of two");
    planned.push_back({size, alignment});
  }
  std::vector<int64_t> offsets(items.size());
  CoopPlan plan = coopPlanScratch(planned.size(), planned.data(),
                                  relations.data(), offsets.data());
  nb::dict result;
  result["offsets"] = offsets;
  result["size"] = plan.size;
  result["alignment"] = plan.alignment;
  result["lower_bound"] = plan.lowerBound;
  result["optimal"] = plan.isOptimal;
  return result;
}

NB_MODULE(_coop, m) {
  m.doc() = "The coop dialect, its passes and its translation";
  m.def("register_dialects", [](MlirDialectRegistry registry) {
    coopRegisterAllDialects(registry);
  });
  coopRegisterAllPasses();
  m.def("pipeline_stages", &pipelineStages, nb::arg("target") = "",
        nb::arg("launch_dynamic_bytes") = 0, nb::arg("participation") = "warn",
        nb::arg("keep_user_barriers") = true,
        nb::arg("check_assumptions") = false,
        "The ordered (name, pass pipeline) of each stage");
  m.def("cuda_source", &cudaSource, nb::arg("op"),
        "The CUDA C++ of the wrappers that the operation's IR wants");
  m.def("layout_probes", &layoutProbes, nb::arg("op"),
        "The (wrapper, name expression) of each wrapper that uses scratch");
  m.def("attach_layouts", &attachLayouts, nb::arg("op"), nb::arg("layouts"),
        "Put {wrapper: (size, alignment)} on the operations that want them");
  m.def("plan_scratch", &planScratch, nb::arg("items"), nb::arg("relations"),
        "Plan [(size, alignment)] with a letter for each pair: 'd' disjoint, "
        "'s' disjoint or at the same offset, 'a' any");
  namespace coop = mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::coop;
  coop::GroupType::bind(m);
  coop::TempStorageType::bind(m);
}
