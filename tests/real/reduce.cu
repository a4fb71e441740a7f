// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Reductions, and dynamic shared memory that is read as several types.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern __shared__ float smem_f[];
__global__ void reduce_f4(const float* in, float* out, int n) {
  float s = 0;
  float4* s4 = reinterpret_cast<float4*>(smem_f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += in[i];
  smem_f[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x < blockDim.x / 4) {
    float4 v = s4[threadIdx.x];
    s = v.x + v.y + v.z + v.w;
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x % 32 == 0) atomicAdd(out, s);
  }
}

template <class T> struct Shared {
  __device__ operator T*() { extern __shared__ int raw[]; return (T*)raw; }
};
template <class T, int B> __global__ void reduce6(const T* in, T* out, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  T* s = Shared<T>();
  unsigned tid = threadIdx.x, i = blockIdx.x * B * 2 + tid;
  T sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + B < n) sum += in[i + B];
    i += B * 2 * gridDim.x;
  }
  s[tid] = sum;
  cg::sync(cta);
  if (B >= 512) { if (tid < 256) s[tid] = sum = sum + s[tid + 256]; cg::sync(cta); }
  if (B >= 256) { if (tid < 128) s[tid] = sum = sum + s[tid + 128]; cg::sync(cta); }
  if (B >= 128) { if (tid < 64) s[tid] = sum = sum + s[tid + 64]; cg::sync(cta); }
  cg::thread_block_tile<32> w = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (B >= 64) sum += s[tid + 32];
    for (int o = w.size() / 2; o > 0; o /= 2) sum += w.shfl_down(sum, o);
  }
  if (cta.thread_rank() == 0) out[blockIdx.x] = sum;
}
template __global__ void reduce6<int, 256>(const int*, int*, unsigned);
template __global__ void reduce6<double, 512>(const double*, double*, unsigned);
template __global__ void reduce6<float, 128>(const float*, float*, unsigned);

// The same dynamic memory as doubles and as int4, one behind the other.
__global__ void mixed(double* d, int4* q, int n) {
  extern __shared__ __align__(16) char bytes[];
  double* sd = (double*)bytes;
  int4* sq = (int4*)(sd + n);
  for (int i = threadIdx.x; i < n; i += blockDim.x) { sd[i] = d[i]; sq[i] = q[i]; }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    d[n - 1 - i] = sd[i] * 2;
    int4 v = sq[i];
    v.w++;
    q[n - 1 - i] = v;
  }
}
