// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Fast paths taken where a pointer happens to be aligned.
#include <cstdint>

__global__ void copy_if(char* d, const char* s, size_t n) {
  size_t i = threadIdx.x;
  if (((uintptr_t)d | (uintptr_t)s) % 16 == 0)
    for (size_t j = i; j < n / 16; j += blockDim.x) ((uint4*)d)[j] = ((const uint4*)s)[j];
  else if (((uintptr_t)d | (uintptr_t)s) % 4 == 0)
    for (size_t j = i; j < n / 4; j += blockDim.x) ((unsigned*)d)[j] = ((const unsigned*)s)[j];
  else
    for (size_t j = i; j < n; j += blockDim.x) d[j] = s[j];
}

__global__ void shared_if(float* g, int n) {
  extern __shared__ float dyn[];
  __shared__ float st[130];
  for (int i = threadIdx.x; i < n; i += blockDim.x) dyn[i] = g[i];
  if (threadIdx.x < 130) st[threadIdx.x] = g[threadIdx.x];
  __syncthreads();
  float a = 0;
  if ((uintptr_t)dyn % 16 == 0) {
    float4 v = ((float4*)dyn)[threadIdx.x];
    a = v.x + v.y + v.z + v.w;
  } else
    for (int k = 0; k < 4; k++) a += dyn[threadIdx.x * 4 + k];
  float* p = st + 2;
  if (__cvta_generic_to_shared(p) % 16 == 0) {
    float4 v = *(float4*)p;
    a += v.x + v.w;
  } else {
    float2 v = *(float2*)p;
    a += v.x + v.y + p[2] + p[3];
  }
  g[threadIdx.x] = a;
}

__device__ unsigned char blob[1000];
__global__ void blob_if(unsigned* out) {
  unsigned a = 0;
  for (int i = threadIdx.x; i < 250; i += blockDim.x) {
    if ((uintptr_t)blob % 4 == 0)
      a += ((unsigned*)blob)[i];
    else
      a += blob[4 * i] | blob[4 * i + 1] << 8;
  }
  out[threadIdx.x] = a;
}
