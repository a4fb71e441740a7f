// targets: sm_75 sm_80 sm_90a sm_100a sm_120a
// Matrix products of single precision.
#define T 32
__global__ void __launch_bounds__(1024)
sgemm_tiled(const float* A, const float* B, float* C, int M, int N, int K, float alpha,
            float beta) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T + 1];
  int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    As[threadIdx.y][threadIdx.x] =
      (r < M && k + threadIdx.x < K) ? A[r * K + k + threadIdx.x] : 0.f;
    Bs[threadIdx.y][threadIdx.x] =
      (c < N && k + threadIdx.y < K) ? B[(k + threadIdx.y) * N + c] : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = alpha * acc + beta * C[r * N + c];
}

// Register blocked: 64x64 tile, 16x16 threads, float4 loads.
__global__ void __launch_bounds__(256, 2)
sgemm_blocked(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
              int M, int N, int K) {
  __shared__ __align__(16) float As[8][64];
  __shared__ __align__(16) float Bs[8][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[4][4] = {};
  const float* a = A + blockIdx.y * 64 * K;
  const float* b = B + blockIdx.x * 64;
  for (int k = 0; k < K; k += 8) {
    if (threadIdx.x < 128) {
      int row = threadIdx.x / 2, col = (threadIdx.x % 2) * 4;
      float4 v = *(const float4*)(a + row * K + k + col);
      As[col][row] = v.x;
      As[col + 1][row] = v.y;
      As[col + 2][row] = v.z;
      As[col + 3][row] = v.w;
    } else {
      int t = threadIdx.x - 128, row = t / 16, col = (t % 16) * 4;
      *(float4*)&Bs[row][col] = *(const float4*)(b + (k + row) * N + col);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++) {
      float4 x = *(float4*)&As[i][ty * 4], y = *(float4*)&Bs[i][tx * 4];
      float xa[4] = {x.x, x.y, x.z, x.w}, ya[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++) acc[p][q] += xa[p] * ya[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < 4; p++)
    *(float4*)(C + (blockIdx.y * 64 + ty * 4 + p) * N + blockIdx.x * 64 + tx * 4) =
      make_float4(acc[p][0], acc[p][1], acc[p][2], acc[p][3]);
}
