__global__ void k(float *out) {
    __shared__ float row[32];
    unsigned at = __cvta_generic_to_shared(row);
    asm("ld.sahred.f32 %0, [%1];" : "=f"(*out) : "r"(at));
}
