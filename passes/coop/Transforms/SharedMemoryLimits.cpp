//===- SharedMemoryLimits.cpp - How much shared memory a block may have
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/SharedMemoryLimits.h"

using namespace mlir::coop;

namespace {
struct Limit {
  unsigned computeCapability;
  unsigned kibibytes;
};
} // namespace

/// "Maximum amount of shared memory per thread block" of the CUDA C++
/// programming guide's table of technical specifications.
static constexpr Limit kLimits[] = {
    {70, 96},   {72, 96},   {75, 64},  {80, 163},  {86, 99},
    {87, 163},  {89, 99},   {90, 227}, {100, 227}, {101, 227},
    {103, 227}, {110, 227}, {120, 99}, {121, 99},
};

std::optional<int64_t> mlir::coop::getOptInSharedMemory(llvm::StringRef chip) {
  unsigned computeCapability;
  if (!chip.consume_front("sm_") ||
      chip.consumeInteger(10, computeCapability) ||
      !(chip.empty() || chip == "a" || chip == "f"))
    return std::nullopt;
  for (const Limit &limit : kLimits)
    if (limit.computeCapability == computeCapability)
      return int64_t(limit.kibibytes) * 1024;
  return std::nullopt;
}
