// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// nvcc: -rdc=true
// Symbols of other files, and kernels that launch kernels.
extern __device__ float elsewhere(float, int*);
extern __device__ int table_elsewhere[16];
extern __constant__ float coeff_elsewhere;
__device__ int mine[4] = {1, 2, 3, 4};
__constant__ int cmine = 5;
static __device__ int private_one = 6;
extern __global__ void other_kernel(float*, int);

__global__ void child(float* p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] = elsewhere(p[threadIdx.x], mine) + table_elsewhere[n & 15] + coeff_elsewhere
      + cmine + private_one;
}
__global__ void parent(float* p, int n) {
  if (threadIdx.x == 0) {
    child<<<1, n, 16>>>(p, n);
    other_kernel<<<2, 32>>>(p, n);
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 1);
  }
}
__device__ float exported(float x) { return x * 2 + cmine; }
