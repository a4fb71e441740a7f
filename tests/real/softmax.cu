// Softmax and layer normalisation in the style of llm.c.
#include <cfloat>
__device__ __forceinline__ float warpMax(float v) {
  for (int o = 16; o; o /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
  return v;
}
__device__ __forceinline__ float warpSum(float v) {
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  return v;
}

__global__ void softmax_block(float* out, const float* in, int N, int C) {
  extern __shared__ float shared[];
  int idx = blockIdx.x, tid = threadIdx.x;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  float* mx = shared;
  float* sm = &shared[warps];
  const float* x = in + (long)idx * C;
  float m = -FLT_MAX;
  for (int i = tid; i < C; i += blockDim.x) m = fmaxf(m, x[i]);
  m = warpMax(m);
  if (!lane) mx[warp] = m;
  __syncthreads();
  if (!tid) {
    float v = mx[tid];
    for (int i = 1; i < warps; i++) v = fmaxf(v, mx[i]);
    mx[0] = v;
  }
  __syncthreads();
  float off = mx[0];
  for (int i = tid; i < C; i += blockDim.x) out[(long)idx * C + i] = expf(x[i] - off);
  float s = 0;
  for (int i = tid; i < C; i += blockDim.x) s += out[(long)idx * C + i];
  s = warpSum(s);
  if (!lane) sm[warp] = s;
  __syncthreads();
  if (!tid) {
    float v = sm[0];
    for (int i = 1; i < warps; i++) v += sm[i];
    sm[0] = v;
  }
  __syncthreads();
  float t = sm[0];
  for (int i = tid; i < C; i += blockDim.x) out[(long)idx * C + i] /= t;
}

__global__ void layernorm(float* __restrict__ out, float* __restrict__ mean,
                          float* __restrict__ rstd, const float* __restrict__ in,
                          const float* __restrict__ w, const float* __restrict__ b, int N, int C) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, idx = blockIdx.x * (blockDim.x / 32) + warp;
  if (idx >= N) return;
  const float4* x = (const float4*)(in + idx * C);
  float s = 0;
  for (int i = lane; i < C / 4; i += 32) {
    float4 v = x[i];
    s += v.x + v.y + v.z + v.w;
  }
  s = warpSum(s);
  float m = s / C;
  if (!lane && mean) __stcs(mean + idx, m);
  s = 0;
  for (int i = lane; i < C / 4; i += 32) {
    float4 v = x[i];
    s += (v.x - m) * (v.x - m) + (v.y - m) * (v.y - m) + (v.z - m) * (v.z - m)
      + (v.w - m) * (v.w - m);
  }
  s = rsqrtf(warpSum(s) / C + 1e-5f);
  if (!lane && rstd) __stcs(rstd + idx, s);
  for (int c = lane; c < C; c += 32)
    __stcs(out + idx * C + c, s * (__ldcs(in + idx * C + c) - m) * w[c] + b[c]);
}
