struct alignas(32) Eight {
    float x[8];
};

__global__ void k(const Eight *row, Eight *out) {
    Eight r;
    asm("ld.global.v8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
        : "=f"(r.x[0]), "=f"(r.x[1]), "=f"(r.x[2]), "=f"(r.x[3]), "=f"(r.x[4]), "=f"(r.x[5]), "=f"(r.x[6]), "=f"(r.x[7])
        : "l"(row));
    *out = r;
}
