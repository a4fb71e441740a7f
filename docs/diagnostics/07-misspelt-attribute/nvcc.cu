__global__ void k(float *out) {
    __shraed__ float row[32];
    *out = row[threadIdx.x];
}
