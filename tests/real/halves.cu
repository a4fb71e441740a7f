// targets: sm_80 sm_90a sm_100a
// Small floats, and quantised blocks whose parts are read as words.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
struct __align__(4) block_q4 { half d; unsigned char qs[16]; };
struct block_q8 { half2 ds; signed char qs[32]; };

__global__ void conv(const float* in, half* h, __nv_bfloat16* b, __nv_fp8_e4m3* e4,
                     __nv_fp8_e5m2* e5, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  h[i] = __float2half(x);
  b[i] = __float2bfloat16(x);
  e4[i] = __nv_fp8_e4m3(x);
  e5[i] = __nv_fp8_e5m2(x);
}

__global__ void back(float* o, const __nv_fp8_e4m3* e4, const __nv_fp8x4_e5m2* e5,
                     const half2* h, const __nv_bfloat162* b) {
  int i = threadIdx.x;
  float4 v = (float4)e5[i];
  half2 s = __hfma2(h[i], h[i + 1], __float2half2_rn(1.f));
  __nv_bfloat162 t = __hmul2(b[i], b[i + 1]);
  o[i] = (float)e4[i] + v.x + v.w + __low2float(s) + __high2float(t)
    + __half2float(__hmax(__low2half(s), hexp(__high2half(s))));
}

// A quantised dot product as in ggml.
__global__ void dot_q4_q8(const block_q4* x, const block_q8* y, float* dst, int n) {
  float acc = 0;
  for (int b = threadIdx.x; b < n; b += 32) {
    int s = 0;
    for (int k = 0; k < 4; k++) {
      int v;
      memcpy(&v, x[b].qs + 4 * k, 4);
      int u0 = *(const int*)(y[b].qs + 4 * k), u1 = *(const int*)(y[b].qs + 16 + 4 * k);
      s = __dp4a(v & 0x0F0F0F0F, u0, s);
      s = __dp4a((v >> 4) & 0x0F0F0F0F, u1, s);
    }
    acc += __half2float(x[b].d) * (s * __low2float(y[b].ds) - 8 * __high2float(y[b].ds));
  }
  for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(~0u, acc, o);
  if (!threadIdx.x) *dst = acc;
}

__global__ void atom_h(half2* h, __nv_bfloat162* b, half* s) {
  atomicAdd(h, __float2half2_rn(1.f));
  atomicAdd(b, __float2bfloat162_rn(2.f));
  atomicAdd(s, __float2half(0.5f));
}

__global__ void shared_h(half* g) {
  __shared__ half s[256];
  s[threadIdx.x] = g[threadIdx.x];
  __syncthreads();
  half2* p = (half2*)s;
  if (threadIdx.x < 128) {
    half2 v = p[threadIdx.x];
    g[threadIdx.x] = __hadd(v.x, v.y);
  }
  uint4 q = *(uint4*)&s[(threadIdx.x & 31) * 8];
  g[256 + threadIdx.x] = __ushort_as_half(q.w & 0xffff);
}
