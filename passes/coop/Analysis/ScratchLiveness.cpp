//===- ScratchLiveness.cpp - stub
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
namespace { [[maybe_unused]] int stub; }
