// targets: sm_90a sm_100a
// Shared memory of other blocks of a cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1)
dsmem_hist(int* bins, int nb, int per, const int* in, size_t n) {
  extern __shared__ int sm[];
  auto c = cg::this_cluster();
  int rank = c.block_rank();
  for (int i = threadIdx.x; i < per; i += blockDim.x) sm[i] = 0;
  c.sync();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int b = min(max(in[i], 0), nb - 1);
    int* dst = c.map_shared_rank(sm, b / per);
    atomicAdd(dst + b % per, 1);
  }
  c.sync();
  int* mine = bins + rank * per;
  for (int i = threadIdx.x; i < per; i += blockDim.x) atomicAdd(&mine[i], sm[i]);
}

__global__ void __cluster_dims__(2, 2) __launch_bounds__(128) ring(float4* out) {
  __shared__ float4 mine[128];
  auto c = cg::this_cluster();
  mine[threadIdx.x] = make_float4(c.block_rank(), threadIdx.x, 0, 1);
  c.sync();
  float4* next = c.map_shared_rank(mine, (c.block_rank() + 1) % c.num_blocks());
  out[blockIdx.x * 128 + threadIdx.x] = next[127 - threadIdx.x];
  c.sync();
}

__global__ void any_cluster(int* p) {
  auto c = cg::this_cluster();
  p[blockIdx.x] = c.dim_blocks().x + c.num_threads();
  unsigned r;
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(r) : "r"((unsigned)threadIdx.x));
  p[1] = r;
}
