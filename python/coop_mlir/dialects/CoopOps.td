// Where the generated builders of the dialect come from.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "coop/IR/CoopOps.td"
