// Barriers and pipelines of the standard library, without tensor copies.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void arrive_wait(float* g, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
  __shared__ float s[2][256];
  auto b = cg::this_thread_block();
  if (!b.thread_rank()) { init(&bar[0], b.size()); init(&bar[1], b.size()); }
  b.sync();
  for (int i = 0; i < n; i++) {
    s[i & 1][b.thread_rank()] = g[i * 256 + b.thread_rank()];
    auto t = bar[i & 1].arrive();
    bar[i & 1].wait(std::move(t));
    g[i * 256 + b.thread_rank()] = s[i & 1][255 - b.thread_rank()];
  }
}

__global__ void pipeline(int* out, const int* in, int n) {
  extern __shared__ int s[];
  auto b = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  auto p = cuda::make_pipeline(b, &st);
  p.producer_acquire();
  cuda::memcpy_async(b, s, in, cuda::aligned_size_t<16>(b.size() * 4), p);
  p.producer_commit();
  for (int i = 1; i < n; i++) {
    p.producer_acquire();
    cuda::memcpy_async(b, s + (i & 1) * b.size(), in + i * b.size(),
                       cuda::aligned_size_t<16>(b.size() * 4), p);
    p.producer_commit();
    p.consumer_wait();
    out[(i - 1) * b.size() + b.thread_rank()] = s[((i - 1) & 1) * b.size() + b.thread_rank()] + 1;
    p.consumer_release();
  }
  p.consumer_wait();
  p.consumer_release();
}

__global__ void cgcopy(float4* g) {
  __shared__ float4 t[64];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, t, g, sizeof t);
  cg::wait(b);
  g[b.thread_rank()] = t[63 - b.thread_rank()];
  auto w = cg::tiled_partition<8>(b);
  float x = t[w.thread_rank()].x;
  for (int i = w.size() / 2; i; i /= 2) x += w.shfl_xor(x, i);
  g[0].x = x;
}
