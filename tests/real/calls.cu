// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Functions that are not inlined: structs by value, recursion, pointers to locals.
struct __align__(16) Big { double a; float b[4]; };
struct Pair { float x; int n; };
struct Odd { char c[5]; };
struct V3 { float x, y, z; };

__device__ __noinline__ Big make(double a, float b) {
  Big r;
  r.a = a;
  for (int i = 0; i < 4; i++) r.b[i] = b + i;
  return r;
}
__device__ __noinline__ Pair merge(Pair a, Pair b) { return {a.x + b.x, a.n + b.n}; }
__device__ __noinline__ Odd odd(Odd o, char k) { o.c[k % 5] ^= k; return o; }
__device__ __noinline__ V3 cross(V3 a, V3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ __noinline__ float4 quad(float4 v) { v.x += v.w; return v; }
__device__ __noinline__ short half_of(short s, unsigned char u, bool b) {
  return b ? s / 2 : s + u;
}
__device__ __noinline__ bool any(const float* p, int n) {
  for (int i = 0; i < n; i++) if (p[i] > 0) return true;
  return false;
}
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ int odd_p(int n);
__device__ __noinline__ int even_p(int n) { return n == 0 ? 1 : odd_p(n - 1); }
__device__ __noinline__ int odd_p(int n) {
  return n == 0 ? 0 : even_p(n - 1) + (n & 1 ? 0 : threadIdx.x);
}
__device__ __noinline__ void swap(int* a, int* b) { int t = *a; *a = *b; *b = t; }

__global__ void calls(float* out, int n) {
  int a[4] = {n, n + 1, n + 2, n + 3};
  swap(&a[n & 3], &a[1]);
  Big g = make(out[0], out[1]);
  Pair p = merge({out[2], n}, {out[3], 2});
  Odd o = {{1, 2, 3, 4, 5}};
  o = odd(o, (char)n);
  V3 c = cross({out[0], out[1], out[2]}, {1, 2, 3});
  float4 q = quad(make_float4(out[0], out[1], out[2], out[3]));
  out[threadIdx.x] = g.a + g.b[n & 3] + p.x * p.n + o.c[2] + c.x + c.y + c.z + q.x + q.z
    + half_of(n, n, n > 3) + any(out, n) + fib(n) + even_p(n) + a[0] + a[3];
}
