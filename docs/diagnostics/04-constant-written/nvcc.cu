__constant__ float factor = 2.0f;

__global__ void k() {
    factor = 1.0f;
}
