// targets: sm_90a sm_100a
// Bulk copies and tensor copies with their barriers.
#include <cuda/ptx>
#include <cuda/barrier>
#include <cuda_bf16.h>
namespace ptx = cuda::ptx;
struct alignas(64) Map { unsigned long long opaque[16]; };
using bar_t = cuda::barrier<cuda::thread_scope_block>;

// 2D tile load, add one, store back: as in the programming guide.
__global__ void tile_inc(const __grid_constant__ Map map, int x, int y) {
  __shared__ alignas(128) int buf[32][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  uint64_t tok;
  if (threadIdx.x == 0) {
    int c[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, buf, &map, c, &bar);
    tok = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                         sizeof buf);
  } else
    tok = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, tok)) {}
  buf[threadIdx.x / 32][threadIdx.x % 32] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    int c[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, c, buf);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// A 4-stage producer and consumer with dynamic shared memory and bulk copies.
__global__ void stages(const float* in, float* out, int n) {
  extern __shared__ __align__(128) float sm[];
  __shared__ uint64_t full[4], empty[4];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; i++) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], blockDim.x - 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) for (int i = 0; i < n; i++) {
      int s = i % 4;
      if (i >= 4) while (!ptx::mbarrier_try_wait_parity(&empty[s], ((i / 4) & 1) ^ 1)) {}
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     4096);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, sm + s * 1024, in + i * 1024, 4096,
                         &full[s]);
    }
  } else {
    float a = 0;
    for (int i = 0; i < n; i++) {
      int s = i % 4;
      while (!ptx::mbarrier_try_wait_parity(&full[s], (i / 4) & 1)) {}
      for (int j = threadIdx.x - 32; j < 1024; j += blockDim.x - 32) a += sm[s * 1024 + j];
      ptx::mbarrier_arrive(&empty[s]);
    }
    out[threadIdx.x] = a;
  }
}

__global__ void barriers(float* g) {
  __shared__ bar_t b;
  __shared__ float s[256];
  if (!threadIdx.x) init(&b, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(s + threadIdx.x, g + threadIdx.x, sizeof(float), b);
  b.arrive_and_wait();
  g[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void reduce_bulk(int* g) {
  __shared__ alignas(16) int s[64];
  s[threadIdx.x & 63] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (!threadIdx.x) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, g, s, sizeof s);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
