__global__ void k(float src[], unsigned n) {
    src.size();
}
