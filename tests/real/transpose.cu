// Transposition through a padded tile, of several widths.
template <typename T> __global__ void transpose(T* o, const T* in, int w, int h) {
  __shared__ T tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) o[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
template __global__ void transpose<float>(float*, const float*, int, int);
template __global__ void transpose<double2>(double2*, const double2*, int, int);
template __global__ void
transpose<unsigned short>(unsigned short*, const unsigned short*, int, int);
template __global__ void transpose<char3>(char3*, const char3*, int, int);
