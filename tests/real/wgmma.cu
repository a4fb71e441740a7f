// targets: sm_90a
// A matrix product of warp groups, whose operands tensor copies bring.
#include <cuda_bf16.h>
#include <cstdint>
struct alignas(64) Map { unsigned long long opaque[16]; };
struct Smem {
  alignas(1024) __nv_bfloat16 a[64 * 64];
  alignas(1024) __nv_bfloat16 b[64 * 64];
  uint64_t full;
};
__device__ __forceinline__ uint64_t desc(const void* p) {
  uint64_t a = (uint64_t)__cvta_generic_to_shared(p);
  return ((a & 0x3FFFF) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}

__global__ void __launch_bounds__(128)
wg(const __grid_constant__ Map ma, const __grid_constant__ Map mb, float* out, int K) {
  extern __shared__ __align__(1024) char raw[];
  Smem& s = *(Smem*)raw;
  unsigned bar = (unsigned)__cvta_generic_to_shared(&s.full);
  float d[32] = {};
  if (!threadIdx.x) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  for (int k = 0, ph = 0; k < K; k += 64, ph ^= 1) {
    if (!threadIdx.x) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(16384));
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4}], [%2];"
        ::"r"((unsigned)__cvta_generic_to_shared(s.a)), "l"(&ma), "r"(bar), "r"(k),
        "r"(blockIdx.y * 64) : "memory");
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4}], [%2];"
        ::"r"((unsigned)__cvta_generic_to_shared(s.b)), "l"(&mb), "r"(bar), "r"(k),
        "r"(blockIdx.x * 64) : "memory");
    }
    asm volatile("{ .reg .pred P1; LAB: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1; "
      "@P1 bra DONE; bra LAB; DONE: }" ::"r"(bar), "r"(ph));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int kk = 0; kk < 64; kk += 16) {
      uint64_t da = desc(s.a + kk), db = desc(s.b + kk);
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; "
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
        "%32, %33, p, 1, 1, 0, 0; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(da), "l"(db), "r"(1));
    }
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 32; i++) out[(blockIdx.x * 128 + threadIdx.x) * 32 + i] = d[i];
}
