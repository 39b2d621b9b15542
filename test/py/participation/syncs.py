# Barriers of groups, which are calls as any other.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers of groups, which are calls as any other."""

from coop_mlir import this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal, unproven


@cuda.jit(device=True)
def meet(group):
    group.sync()


@cuda.jit(device=True)
def meet_if(group, wanted):
    if wanted:
        meet(group)


@legal()
def block_meets_in_a_common_branch(src, dst, n):
    if cuda.blockIdx.x < n:
        this_block().sync()


@diverges()
def block_meets_in_a_branch_of_some(src, dst, n):
    tid = cuda.threadIdx.x  # value
    if tid < n:  # branch
        this_block().sync()  # call


@legal()
def warps_meet_by_themselves(src, dst, n):
    if cuda.threadIdx.x < 64:
        this_warp().sync()


@diverges()
def part_of_a_warp_meets(src, dst, n):
    if cuda.threadIdx.x < 72:  # branch
        this_warp().sync()  # call


@legal()
def eights_meet_by_themselves(src, dst, n):
    if cuda.threadIdx.x < 72:
        this_warp().group_by(8).sync()


@diverges()
def sixteens_meet_in_part(src, dst, n):
    if cuda.threadIdx.x < 72:  # branch
        this_warp().group_by(16).sync()  # call


@legal((16, 8))
def siblings_meet_at_different_places(src, dst, n):
    group = this_warp().group_by(16)
    if cuda.threadIdx.y % 2 == 0:
        group.sync()
    else:
        for j in range(cuda.threadIdx.y):
            group.sync()


@diverges((16, 8))
def siblings_of_a_warp_meet_at_different_places(src, dst, n):
    warp = this_warp()
    y = cuda.threadIdx.y  # value
    if y % 2 == 0:  # branch
        warp.sync()  # call
    else:
        dst[cuda.threadIdx.x] = 1


@legal()
def nested_helpers_meet(src, dst, n):
    meet_if(this_warp(), cuda.threadIdx.x // 32 == 1)


@diverges()
def nested_helpers_meet_in_part(src, dst, n):
    meet_if(this_warp(), cuda.threadIdx.x // 16 == 1)


@unproven()
def block_meets_by_data(src, dst, n):
    if src[cuda.grid(1)] > 3:  # branch
        this_block().sync()  # call


@legal()
def block_meets_by_its_data(src, dst, n):
    if src[cuda.blockIdx.x] > 3:
        this_block().sync()
