// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Parameters: narrow integers, structs, arrays in them that are indexed.
#include <cstdint>
struct Small { char c; short s; int i; };
struct __align__(16) Vec { float4 v[2]; int n; };
struct Mixed { const float* p[3]; int dims[4]; bool flags[5]; double scale; unsigned char tail; };
struct __align__(8) Two { int a, b; };
struct Empty {};

extern "C" __global__ void narrow(char c, signed char sc, unsigned char uc, short s,
                                  unsigned short us, bool b, float* out, long long l, wchar_t w) {
  out[0] = c;
  out[1] = sc;
  out[2] = uc;
  out[3] = s;
  out[4] = us;
  if (b) out[5] = (float)l + w;
}
extern "C" __global__ void structs(Small a, Vec v, Mixed m, Two t, float* out) {
  int i = threadIdx.x;
  out[i] = a.c + a.s + a.i + v.v[i & 1].z + v.n + m.p[1][i] * m.scale + m.dims[2]
    + (m.flags[3] ? t.a : t.b) + m.tail;
}
extern "C" __global__ void indexed(const Mixed m, float* out) {
  int i = threadIdx.x;
  out[i] = m.p[i % 3][m.dims[i & 3]] + m.flags[i % 5];
}
extern "C" __global__ void constgrid(const __grid_constant__ Mixed m, float* out) {
  const float* const* p = m.p;
  out[threadIdx.x] = p[threadIdx.x % 3][m.dims[threadIdx.x & 3]];
}
extern "C" __global__ void empties(Empty e, float3 f, uchar3 u, float* out) {
  out[0] = f.x + f.z + u.y;
}
