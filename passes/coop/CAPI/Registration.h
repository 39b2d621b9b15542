//===- Registration.h - The dialects and passes of the tools and the package
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_CAPI_REGISTRATION_H
#define COOP_CAPI_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::coop {

/// coop and the upstream dialects that its modules are made of.
void registerAllDialects(DialectRegistry &registry);

/// coop's passes and pipelines, and the upstream ones that go with them.
void registerAllPasses();

} // namespace mlir::coop

#endif // COOP_CAPI_REGISTRATION_H
