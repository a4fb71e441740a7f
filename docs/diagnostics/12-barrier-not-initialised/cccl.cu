#include <cuda/barrier>
__global__ void k() {
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    full.arrive_and_wait();
}
