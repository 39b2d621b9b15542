#include "coop/Target/CoopToCUDA.h"
void mlir::coop::printCUDASource(ArrayRef<WrapperAttr>, raw_ostream &) {}
std::string mlir::coop::getLayoutProbe(WrapperAttr) { return ""; }
void mlir::coop::registerCoopToCUDATranslation() {}
