__global__ void k(float **src, float *out) {
    *out = src[0];
}
