#include <cuda/ptx>
#include <cuda.h>
__global__ void k(const __grid_constant__ CUtensorMap a, cuda::std::uint64_t *bar) {
    __shared__ alignas(128) char tile[8192];
    const cuda::std::int32_t at[3] = {0, 0, 0};
    cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, tile, &a, at, bar);
}
