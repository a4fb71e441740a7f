__global__ void k(unsigned *out) {
    *out = tid.x;
}
