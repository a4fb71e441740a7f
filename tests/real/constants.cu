// Constant, managed and global variables with values of every kind.
struct Cfg { float gain; int taps; double bias; short m[3]; };
__constant__ float kernel_taps[17];
__constant__ Cfg cfg = {1.5f, 9, -2.25, {1, 2, 3}};
__constant__ int table[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {0, 0, 0, 1}};
__managed__ int counter;
__managed__ float scale = 3.0f;
__device__ double weights[64] = {1.0, 2.0};
__device__ unsigned long long total;
__device__ const char* names[3] = {"alpha", "beta", "gamma"};
__device__ int* where = (int*)&total;
__device__ float scratch[1 << 20];
static __device__ int hidden = 7;

__global__ void convolve(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = (float)cfg.bias;
#pragma unroll
  for (int k = -8; k <= 8; k++) if (i + k >= 0 && i + k < n) s += in[i + k] * kernel_taps[8 - k];
  out[i] = s * cfg.gain * scale + table[i & 3][(i >> 2) & 3] + cfg.m[i % 3];
  atomicAdd(&counter, 1);
  atomicAdd(&total, 1ull);
  scratch[i] = s;
  weights[i & 63] += s;
  hidden += names[i % 3][0] + *where;
}
