__device__ unsigned char byte = 300;
