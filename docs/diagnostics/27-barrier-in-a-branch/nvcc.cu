__global__ void __launch_bounds__(128) k() {
    if (threadIdx.x < 16) {
        __syncthreads();
    }
}
