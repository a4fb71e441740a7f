__global__ void k(float *out) {
    .shared float row[32];
    *out = row[threadIdx.x];
}
