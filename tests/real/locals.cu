// Local memory: arrays that are indexed, memory of a length that only the launch knows, a stack.
#include <cstdlib>
struct Node { float key; int left, right; short tag[3]; };

__global__ void local_index(float* out, const int* idx, int n) {
  float a[64];
  double b[8];
  char c[37];
  Node nodes[6];
  for (int i = 0; i < 64; i++) a[i] = i * 0.5f;
  for (int i = 0; i < 8; i++) b[i] = out[i];
  for (int i = 0; i < 37; i++) c[i] = (char)idx[i];
  for (int i = 0; i < 6; i++) nodes[i] = {out[i], i, i + 1, {1, 2, (short)i}};
  for (int i = 0; i < n; i++) {
    int k = idx[i];
    a[k & 63] += b[k & 7];
    c[k % 37]++;
    nodes[k % 6].tag[k % 3]++;
  }
  out[threadIdx.x] = a[idx[0] & 63] + c[idx[1] % 37] + nodes[idx[2] % 6].key
    + nodes[idx[3] % 6].tag[idx[4] % 3] + (float)b[idx[3] & 7];
}

__device__ __noinline__ float sum(const float* p, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
__global__ void variable_length(float* out, int n) {
  float* v = (float*)alloca(n * sizeof(float));
  for (int i = 0; i < n; i++) v[i] = out[i];
  float4* q = (float4*)__builtin_alloca(64);
  q[0] = make_float4(1, 2, 3, n);
  out[0] = sum(v, n) + q[0].w;
}

__global__ void stack_sort(int* d) {
  int s[32];
  int top = 0;
  s[top++] = 0;
  s[top++] = 31;
  while (top) {
    int hi = s[--top], lo = s[--top];
    if (lo < hi) {
      int p = d[hi], i = lo;
      for (int j = lo; j < hi; j++) if (d[j] < p) { int t = d[i]; d[i] = d[j]; d[j] = t; i++; }
      int t = d[i];
      d[i] = d[hi];
      d[hi] = t;
      s[top++] = lo;
      s[top++] = i - 1;
      s[top++] = i + 1;
      s[top++] = hi;
    }
  }
}
