// One object as several types.
__device__ float gmax;
__device__ int gflag;
__device__ unsigned long long g64;
__device__ double gd;
__constant__ unsigned cbits = 0x3f800000;
union U { float f; unsigned u; unsigned char b[4]; };

__global__ void puns(float* o, int n, double d, long long l, float f, unsigned long long q) {
  __shared__ float smax;
  __shared__ int si;
  __shared__ double sd;
  __shared__ unsigned long long key;
  __shared__ U su;
  __shared__ short2 s2;
  __shared__ float2 f2;
  if (threadIdx.x == 0) {
    smax = 0;
    si = 0;
    sd = 0;
    key = ~0ull;
    su.f = f;
    s2 = make_short2(1, 2);
    f2 = make_float2(0, 1);
  }
  __syncthreads();
  atomicMax((int*)&smax, __float_as_int(o[threadIdx.x]));
  atomicMin(&key, ((unsigned long long)__float_as_uint(o[n]) << 32) | threadIdx.x);
  atomicAdd((unsigned*)&si, 3u);
  atomicAdd((float*)&su.u, 1.f);
  __syncthreads();
  atomicMax((int*)&gmax, __float_as_int(smax));
  atomicCAS((unsigned long long*)&gd, 0ull, (unsigned long long)__double_as_longlong(sd + d));
  atomicExch((float*)&gflag, 2.f);
  unsigned hi = ((unsigned*)&g64)[1];
  o[0] = *(float*)&cbits + ((char*)&si)[1] + ((unsigned char*)&key)[5] + su.b[2] + hi
    + ((unsigned*)&key)[1] + s2.y + *(double*)&f2 + ((short*)&gflag)[1];
  ((char*)o)[8] = (char)n;
  ((short*)o)[5] = (short)(n >> 16);
  ((unsigned char*)o)[12] = (unsigned char)l;
  ((int*)o)[4] = (int)q;
  ((unsigned short*)o)[10] = (unsigned short)(q >> 32);
  o[6] = __int_as_float((int)__double_as_longlong(d));
  ((unsigned*)o)[7] = __float_as_uint(f) >> 3;
  ((int*)o)[8] = (int)(l >> 32);
}

__device__ __noinline__ unsigned char low(int n, short s, unsigned long long q) {
  return (unsigned char)n + (char)s + (unsigned char)(q >> 8);
}
__device__ __noinline__ U un(U u, int k) { u.b[k & 3]++; return u; }
__device__ __noinline__ void out_param(short* s, bool b, float2 v, char4 c) {
  s[0] = b ? v.x : c.z;
  s[1] = c.w;
}
__global__ void more(float* o, int n, U u, char4 c, short2 s) {
  o[0] = low(n, (short)(n + 3), n * 77ull);
  o[1] = un(u, n).f;
  short t[2];
  out_param(t, n & 1, make_float2(o[2], n), c);
  o[3] = t[n & 1] + s.y;
  out_param((short*)o + 8, n & 2, make_float2(1, o[3]), make_char4(n, 1, 2, n));
}
