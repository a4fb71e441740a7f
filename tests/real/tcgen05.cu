// targets: sm_100a
// Tensor memory.
#include <cstdint>
struct alignas(64) Map { unsigned long long opaque[16]; };

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
tc(const __grid_constant__ Map ma, float* out, int K) {
  extern __shared__ __align__(1024) uint8_t sm[];
  __shared__ uint32_t tptr;
  __shared__ uint64_t bar, done;
  int w = threadIdx.x / 32;
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar),
           e = (unsigned)__cvta_generic_to_shared(&done),
           s = (unsigned)__cvta_generic_to_shared(sm);
  if (w == 0) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;"
      ::"r"((unsigned)__cvta_generic_to_shared(&tptr)));
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  }
  if (!threadIdx.x) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; mbarrier.init.shared::cta.b64 [%1], 1; "
      "fence.mbarrier_init.release.cluster;" ::"r"(b), "r"(e));
  }
  asm volatile("tcgen05.fence::before_thread_sync;");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;");
  uint32_t t = tptr;
  if (!threadIdx.x) for (int k = 0; k < K; k++) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 32768;" ::"r"(b));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
      ::"r"(s), "l"(&ma), "r"(b), "r"(k * 64), "r"(0), "h"((uint16_t)3) : "memory");
    asm volatile("{ .reg .pred P; W: mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1; "
      "@!P bra W; }" ::"r"(b), "r"(k & 1));
    uint64_t d = ((s & 0x3ffff) >> 4) | (1ull << 46) | (64ull << 32) | (2ull << 61);
    for (int kk = 0; kk < 4; kk++)
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; "
        "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
        ::"r"(t), "l"(d + kk * 2), "l"(d + 1024 + kk * 2), "r"(0x8200490), "r"(k | kk));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"
      ::"r"(e));
    asm volatile("{ .reg .pred P; W2: mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1; "
      "@!P bra W2; }" ::"r"(e), "r"(k & 1));
  }
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;");
  uint32_t r[8];
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
    : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]),
      "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
    : "r"(t + (w << 21)));
  asm volatile("tcgen05.wait::ld.sync.aligned;");
  for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = __uint_as_float(r[i]);
  asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(t), "l"(1ull << 46));
  asm volatile("tcgen05.st.sync.aligned.16x256b.x1.b32 [%0], {%1,%1,%1,%1};" ::"r"(t), "r"(r[0]));
  asm volatile("tcgen05.wait::st.sync.aligned;");
  __syncthreads();
  if (w == 0) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(t));
}

__global__ void wide(double4_32a* p) {
  double4_32a v = p[threadIdx.x];
  v.x += 1;
  p[threadIdx.x] = v;
  float2 a = {1, 2};
  asm("add.rn.f32x2 %0, %0, %0;" : "+l"(*(unsigned long long*)&a));
  ((float2*)p)[0] = a;
}
