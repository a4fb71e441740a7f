__global__ void k(float *out) {
    __shared__ float row[32];
    *out = *(float *)__cvta_generic_to_shared(row);
}
