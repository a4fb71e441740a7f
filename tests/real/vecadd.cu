// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Vector add with float4, a grid-stride loop, and stores of several widths.
extern "C" __global__ void vecadd4(const float4* __restrict__ a, const float4* __restrict__ b,
                                   float4* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  }
}
extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}
template <typename T> __global__ void fill(T* p, T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = v;
}
template __global__ void fill<double>(double*, double, int);
template __global__ void fill<short>(short*, short, int);
template __global__ void fill<unsigned char>(unsigned char*, unsigned char, int);
