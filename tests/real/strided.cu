// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Loops that the compiler unrolls past what any block needs.
__global__ void stride16(float* out, const float* in) {
  __shared__ float s[1024];
#pragma unroll 16
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  float a = 0;
#pragma unroll 16
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) a += s[1023 - i] * 0.5f;
  out[threadIdx.x] = a;
}

__global__ void __launch_bounds__(64) stride_const(int* out) {
  __shared__ int t[200];
  __shared__ double w[7];
#pragma unroll
  for (int i = threadIdx.x; i < 200; i += 64) t[i] = i;
  if (threadIdx.x < 7) w[threadIdx.x] = threadIdx.x;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; i++) if (i < 7) out[i] = (int)w[i] + t[i * 25];
}

__constant__ int lim[5];
__global__ void __launch_bounds__(96) guarded(int* out, int n) {
  __shared__ int t[64];
  if (threadIdx.x < 64) t[threadIdx.x] = lim[threadIdx.x % 5];
  __syncthreads();
  int v = t[threadIdx.x & 63];
  for (int k = 1; k <= 128; k <<= 1) {
    if (k < 64 && threadIdx.x + k < 64) v += t[threadIdx.x + k];
  }
  for (int i = n; i < 64; i++) v += t[i];
  for (int i = n; i >= 0; i -= 3) v -= t[i];
  out[threadIdx.x] = v;
}

// A fixed step under a bound that only the launch knows: later turns are never reached.
__global__ void __launch_bounds__(256) stride_n(float* out, const float* in, int n) {
  __shared__ float s[1000];
  int t = threadIdx.x;
#pragma unroll 16
  for (int i = t; i < n; i += 256) s[i] = in[i];
  __syncthreads();
  float a = 0;
#pragma unroll 8
  for (int i = 0; i < n; i += 4) a += s[i] + s[i + 1] + s[i + 2] + s[i + 3];
  for (int w = 512; w > 0; w >>= 1) {
    if (t < w && t + w < n) s[t] += s[t + w];
    __syncthreads();
  }
  out[t] = a + s[0];
}

template <int B> __global__ void reduce_b(int* g) {
  __shared__ int s[B];
  int t = threadIdx.x;
  s[t] = g[t];
  __syncthreads();
  if (blockDim.x >= 1024) { if (t < 512) s[t] += s[t + 512]; __syncthreads(); }
  if (blockDim.x >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (blockDim.x >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (t == 0) {
    int a = 0;
    for (int i = 0; i < blockDim.x; i += 64) a += s[i];
    g[0] = a;
    if (blockDim.x > 600) g[1] = s[600];
  }
}
template __global__ void reduce_b<128>(int*);
template __global__ void reduce_b<256>(int*);
