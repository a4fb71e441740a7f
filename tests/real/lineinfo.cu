// targets: sm_75 sm_80 sm_90a sm_120a
// nvcc: -lineinfo
// Cooperative groups, with line information.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void lines(const float* in, float* out, int n) {
  auto b = cg::this_thread_block();
  auto w = cg::tiled_partition<32>(b);
  float s = 0;
  for (int i = b.thread_rank(); i < n; i += b.size()) s += in[i];
  s = cg::reduce(w, s, cg::plus<float>());
  __shared__ float t[32];
  if (w.thread_rank() == 0) t[w.meta_group_rank()] = s;
  b.sync();
  if (b.thread_rank() == 0) {
    for (int i = 1; i < w.meta_group_size(); i++) s += t[i];
    *out = s;
  }
}

__global__ void gridsync(int* p) {
  auto g = cg::this_grid();
  p[g.thread_rank()] = 1;
  g.sync();
  if (g.thread_rank() == 0) p[0] = p[g.size() - 1];
  auto c = cg::coalesced_threads();
  p[1] = c.size() + c.thread_rank();
}
