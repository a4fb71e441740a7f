// Histograms: a copy of the bins for each warp, and counters of one byte.
#define BINS 256
__global__ void hist256(unsigned* out, const unsigned* data, unsigned n) {
  __shared__ unsigned h[8][BINS];
  unsigned* wh = h[threadIdx.x >> 5];
  for (int i = 0; i < BINS / 32; i++) wh[(threadIdx.x & 31) + i * 32] = 0;
  __syncthreads();
  for (unsigned p = blockIdx.x * blockDim.x + threadIdx.x; p < n; p += blockDim.x * gridDim.x) {
    unsigned d = data[p];
    atomicAdd(wh + (d & 0xFF), 1u);
    atomicAdd(wh + ((d >> 8) & 0xFF), 1u);
    atomicAdd(wh + ((d >> 16) & 0xFF), 1u);
    atomicAdd(wh + (d >> 24), 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    unsigned s = 0;
    for (int i = 0; i < 8; i++) s += h[i][b];
    out[blockIdx.x * BINS + b] = s;
  }
}

// Byte counters in shared memory, summed as words.
__global__ void hist64(unsigned* out, const uchar4* data, unsigned n) {
  __shared__ unsigned char s[64 * 64];
  for (int i = 0; i < 16; i++) ((unsigned*)s)[threadIdx.x + i * 64] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += 64) {
    uchar4 c = data[i];
    s[threadIdx.x + (c.x >> 2) * 64]++;
    s[threadIdx.x + (c.w >> 2) * 64]++;
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) sum += s[threadIdx.x * 64 + ((i + threadIdx.x) & 63)];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
