// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// What calls the driver's functions: printf, assert, malloc; and variable arguments.
#include <cstdio>
#include <cassert>
__global__ void hello(int n, double d, const char* s) {
  printf("hello %d %f %s %c\n", n, d, s, 'x');
  if (n > 3) printf("none\n");
}
__global__ void checked(int* p, int n) {
  int i = threadIdx.x;
  assert(i < n && "in range");
  p[i] = i;
  assert(p[i] >= 0);
}
__global__ void stops(int* p) {
  if (*p == 3) __trap();
  if (*p == 4) __brkpt();
  if (*p == 5) asm volatile("exit;");
  *p = clock() + (int)clock64();
}

#include <cstdarg>
__device__ __noinline__ int va(int n, ...) {
  va_list l;
  va_start(l, n);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(l, int) + (int)va_arg(l, double);
  va_end(l);
  return s;
}
__global__ void variadic(int* p) { *p = va(2, p[0], 1.5, 7, (double)p[1]); }

__global__ void heap(int n) {
  int* p = (int*)malloc(n * 4);
  if (!p) return;
  memset(p, 0, n * 4);
  p[n - 1] = 3;
  int q[8];
  memcpy(q, p, 32);
  printf("%d", q[n & 7]);
  free(p);
}
