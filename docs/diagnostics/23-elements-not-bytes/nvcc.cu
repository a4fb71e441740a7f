__global__ void k(float *out) {
    __shared__ float row[32];
    *out = *(float *)((char *)row + 3);
}
