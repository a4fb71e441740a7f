// Sort, scan and reduction of CUB, whose temporary storage is a union in shared memory.
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

__global__ void __launch_bounds__(128) sort(const unsigned* in, unsigned* out) {
  using L = cub::BlockLoad<unsigned, 128, 8, cub::BLOCK_LOAD_TRANSPOSE>;
  using S = cub::BlockRadixSort<unsigned, 128, 8>;
  __shared__ union { L::TempStorage l; S::TempStorage s; } t;
  unsigned k[8];
  L(t.l).Load(in + blockIdx.x * 1024, k);
  __syncthreads();
  S(t.s).Sort(k);
  cub::StoreDirectBlockedVectorized(threadIdx.x, out + blockIdx.x * 1024, k);
}

__global__ void __launch_bounds__(256) scan(const float* in, float* out, int n) {
  using S = cub::BlockScan<float, 256, cub::BLOCK_SCAN_RAKING>;
  using R = cub::BlockReduce<double, 256>;
  __shared__ S::TempStorage t;
  __shared__ R::TempStorage r;
  float x[4], a;
  cub::LoadDirectBlocked(threadIdx.x, in, x, n, 0.f);
  S(t).InclusiveSum(x, x, a);
  double d = R(r).Sum(a);
  cub::StoreDirectStriped<256>(threadIdx.x, out, x, n);
  if (!threadIdx.x) out[n] = d;
}

struct Arg { int i; float v; };
struct Mx {
  __device__ Arg operator()(const Arg& a, const Arg& b) const { return a.v < b.v ? b : a; }
};
__global__ void argmax(const float* in, int* out) {
  using W = cub::WarpReduce<Arg>;
  using B = cub::BlockReduce<Arg, 64, cub::BLOCK_REDUCE_RAKING>;
  __shared__ W::TempStorage t[2];
  __shared__ B::TempStorage b;
  Arg a{(int)threadIdx.x, in[threadIdx.x]};
  Arg w = W(t[threadIdx.x / 32]).Reduce(a, Mx());
  Arg z = B(b).Reduce(a, Mx());
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = w.i;
  if (!threadIdx.x) out[3] = z.i;
}
