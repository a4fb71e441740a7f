// targets: sm_75 sm_80 sm_90a sm_120a
// nvcc: -G
// For a debugger: nothing is kept in registers.
struct P { float x, y; int k[3]; };
__device__ float len(const P& p) {
  float s = p.x * p.x;
  for (int i = 0; i < 3; i++) s += p.k[i];
  return sqrtf(s + p.y);
}
__global__ void dbg(P* ps, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    P p = ps[i];
    s[threadIdx.x & 63] = len(p);
    __syncthreads();
    out[i] = s[(threadIdx.x + 1) & 63];
  }
}
