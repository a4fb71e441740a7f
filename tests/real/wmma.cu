// targets: sm_80 sm_90a sm_100a
// Matrix products through fragments, of several types.
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

__global__ void hgemm(const half* A, const half* B, float* C, int M, int N, int K) {
  __shared__ __align__(32) half As[64][32 + 8];
  __shared__ __align__(32) half Bs[32][64 + 8];
  __shared__ __align__(32) float Cs[64][64];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[4];
  for (auto& a : acc) wmma::fill_fragment(a, 0.f);
  int warp = threadIdx.x / 32;
  for (int k = 0; k < K; k += 32) {
    for (int i = threadIdx.x; i < 64 * 4; i += 128)
      *(int4*)&As[i / 4][(i % 4) * 8] =
        *(const int4*)&A[(blockIdx.y * 64 + i / 4) * K + k + (i % 4) * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += 128)
      *(int4*)&Bs[i / 8][(i % 8) * 8] =
        *(const int4*)&B[(k + i / 8) * N + blockIdx.x * 64 + (i % 8) * 8];
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
      wmma::load_matrix_sync(a, &As[warp * 16][kk], 40);
      for (int j = 0; j < 4; j++) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(b, &Bs[kk][j * 16], 72);
        wmma::mma_sync(acc[j], a, b, acc[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; j++)
    wmma::store_matrix_sync(&Cs[warp * 16][j * 16], acc[j], 64, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64 * 64; i += 128)
    C[(blockIdx.y * 64 + i / 64) * N + blockIdx.x * 64 + i % 64] = Cs[i / 64][i % 64];
}

__global__ void igemm(const signed char* A, const signed char* B, int* C) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(c, 0);
  wmma::load_matrix_sync(a, A, 16);
  wmma::load_matrix_sync(b, B, 16);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(C, c, 16, wmma::mem_col_major);
}

__global__ void dgemm_tf32(const float* A, const double* D, float* C, double* E) {
  extern __shared__ __align__(32) unsigned char sm[];
  float* s = (float*)sm;
  double* d = (double*)(sm + 1024);
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = A[i];
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = D[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
  wmma::fill_fragment(c, 0.f);
  wmma::load_matrix_sync(a, s, 8);
  wmma::load_matrix_sync(b, s + 128, 8);
  for (auto& x : a.x) x = wmma::__float_to_tf32(x);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc;
  wmma::fill_fragment(dc, 0.0);
  wmma::load_matrix_sync(da, d, 4);
  wmma::load_matrix_sync(db, d + 32, 4);
  wmma::mma_sync(dc, da, db, dc);
  wmma::store_matrix_sync(E, dc, 8, wmma::mem_row_major);
}
