// targets: sm_80 sm_90a sm_100a
// Atomic operations of every width, fences and votes.
#include <cuda/atomic>

__device__ double dsum;
__device__ long long lsum = -1;
__device__ cuda::atomic<int, cuda::thread_scope_device> flag{3};

__global__ void atoms(double* d, unsigned long long* u, long long* l, float* f, int* i) {
  __shared__ double sd;
  __shared__ unsigned long long su;
  __shared__ int si[32];
  if (!threadIdx.x) { sd = 0; su = 1; }
  if (threadIdx.x < 32) si[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sd, d[threadIdx.x]);
  atomicMax(&su, u[threadIdx.x]);
  atomicXor(&si[threadIdx.x & 31], i[0]);
  atomicAdd_block(&si[1], 2);
  __syncthreads();
  atomicAdd(d, sd);
  atomicCAS(u, su, 9ull);
  atomicMin(l, lsum);
  atomicExch(f, 2.f);
  atomicInc((unsigned*)i, 7);
  atomicDec((unsigned*)i + 1, 9);
  atomicAnd(&i[2], si[1]);
  atomicAdd_system(&i[3], 1);
  atomicAdd(&dsum, 1.0);
  *i = flag.fetch_add(2, cuda::memory_order_acquire) + flag.load(cuda::memory_order_relaxed);
  flag.notify_all();
}

__global__ void cas_loop(float* p, float v) {
  int* q = (int*)p;
  int old = *q, a;
  do {
    a = old;
    old = atomicCAS(q, a, __float_as_int(fmaxf(v, __int_as_float(a))));
  } while (a != old);
  unsigned short* h = (unsigned short*)(p + 1);
  atomicCAS(h, (unsigned short)1, (unsigned short)2);
}

__global__ void fences(int* a, volatile int* v, int* m) {
  v[0] = 1;
  __threadfence();
  *m = v[1];
  __threadfence_system();
  __threadfence_block();
  int b = __ballot_sync(~0u, a[threadIdx.x]);
  a[0] = __popc(b) + __match_any_sync(~0u, b) + __reduce_add_sync(~0u, b)
    + __syncthreads_count(b) + __activemask();
}
