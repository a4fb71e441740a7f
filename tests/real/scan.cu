// Blelloch scan in dynamic shared memory with padding, and a decoupled look-back.
#define PAD(i) ((i) + ((i) >> 5))
__global__ void prescan(float* g, const float* in, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, off = 1, ai = t, bi = t + n / 2;
  temp[PAD(ai)] = in[ai];
  temp[PAD(bi)] = in[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) temp[PAD(off * (2 * t + 2) - 1)] += temp[PAD(off * (2 * t + 1) - 1)];
    off *= 2;
  }
  if (t == 0) temp[PAD(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int a = PAD(off * (2 * t + 1) - 1), b = PAD(off * (2 * t + 2) - 1);
      float x = temp[a];
      temp[a] = temp[b];
      temp[b] += x;
    }
  }
  __syncthreads();
  g[ai] = temp[PAD(ai)];
  g[bi] = temp[PAD(bi)];
}

__device__ volatile unsigned long long status[1024];
__device__ unsigned ticket;
__global__ void lookback(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile, prefix, warps[32];
  if (!threadIdx.x) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  unsigned i = tile * blockDim.x + threadIdx.x, v = in[i], lane = threadIdx.x & 31;
  for (int o = 1; o < 32; o <<= 1) {
    unsigned y = __shfl_up_sync(~0u, v, o);
    if (lane >= o) v += y;
  }
  if (lane == 31) warps[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned w = warps[lane];
    for (int o = 1; o < 32; o <<= 1) {
      unsigned y = __shfl_up_sync(~0u, w, o);
      if (lane >= o) w += y;
    }
    warps[lane] = w;
  }
  __syncthreads();
  if (threadIdx.x >= 32) v += warps[(threadIdx.x >> 5) - 1];
  if (threadIdx.x == blockDim.x - 1) {
    unsigned p = 0;
    if (tile) {
      unsigned long long s;
      do { s = status[tile - 1]; __nanosleep(20); } while (!(s >> 32));
      p = (unsigned)s;
    }
    prefix = p;
    __threadfence();
    status[tile] = (1ull << 32) | (p + v);
  }
  __syncthreads();
  out[i] = v + prefix;
}
