// targets: sm_80 sm_90a sm_100a
// Asynchronous copies, and matrix products by inline assembly.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cstdint>
__device__ __forceinline__ unsigned s32(const void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// Two stages of cp.async, ldmatrix and mma by inline assembly.
__global__ void __launch_bounds__(128) hmma(const half* A, const half* B, half* C, int N, int K) {
  __shared__ __align__(16) half As[2][64 * 32], Bs[2][32 * 64];
  float d[4][4] = {};
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  auto load = [&](int st, int k) {
    for (int i = threadIdx.x; i < 256; i += 128) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
        ::"r"(s32(&As[st][i * 8])), "l"(A + (blockIdx.y * 64 + i / 4) * K + k + i % 4 * 8));
      asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 16, %2;"
        ::"r"(s32(&Bs[st][i * 8])), "l"(B + (k + i / 8) * N + blockIdx.x * 64 + i % 8 * 8),
        "r"(k < K ? 16 : 0));
    }
    asm volatile("cp.async.commit_group;");
  };
  load(0, 0);
  for (int k = 0, st = 0; k < K; k += 32, st ^= 1) {
    load(st ^ 1, k + 32);
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      unsigned a[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
        : "r"(s32(&As[st][(w * 16 + l % 16) * 32 + kk * 16 + l / 16 * 8])));
#pragma unroll
      for (int j = 0; j < 4; j++) {
        unsigned b[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
          : "=r"(b[0]), "=r"(b[1]) : "r"(s32(&Bs[st][(kk * 16 + l % 16) * 64 + j * 8])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
          "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; j++)
    *(half2*)&C[(blockIdx.y * 64 + w * 16 + l / 4) * N + blockIdx.x * 64 + j * 8 + l % 4 * 2] =
      __floats2half2_rn(d[j][0], d[j][1]);
}

__global__ void pipe(float4* out, const float4* in, int n) {
  extern __shared__ float4 st[];
  for (int s = 0; s < 3; s++) {
    __pipeline_memcpy_async(&st[s * blockDim.x + threadIdx.x],
                            &in[s * blockDim.x + threadIdx.x], 16);
    __pipeline_commit();
  }
  for (int i = 0; i < n; i++) {
    __pipeline_wait_prior(2);
    __syncthreads();
    float4 v = st[(i % 3) * blockDim.x + (threadIdx.x ^ 1)];
    out[i * blockDim.x + threadIdx.x] = v;
    __syncthreads();
    if (i + 3 < n)
      __pipeline_memcpy_async(&st[(i % 3) * blockDim.x + threadIdx.x],
                              &in[(i + 3) * blockDim.x + threadIdx.x], 16);
    __pipeline_commit();
  }
}

__global__ void sparse(uint4* p) {
  unsigned a = p->x, b = p->y, c = p->z;
  float d[4] = {0, 0, 0, 0};
  asm("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{%0,%1,%2,%3}, {%4,%5}, {%6,%5}, {%0,%1,%2,%3}, %6, 0x0;"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b), "r"(c));
  *(float4*)p = make_float4(d[0], d[1], d[2], d[3]);
}
