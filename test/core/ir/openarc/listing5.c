// Listing 5 of the OpenARC paper, in its words, and what it must compute.
#include <stdio.h>
#include <stdlib.h>
#define N 64
#define BSIZE 16
static void MatrixMultiplication(float *A, float *B, float *C) {
  int by, bx, ty, tx;
#pragma acc kernels loop gang(N/BSIZE) copy(C[0:N*N]) copyin(A[0:N*N],B[0:N*N])
#pragma openarc cuda sharedRW(As,Bs)
  for (by = 0; by < (N/BSIZE); by++) {
#pragma acc loop gang(N/BSIZE)
    for (bx = 0; bx < (N/BSIZE); bx++) {
      float As[BSIZE][BSIZE];
      float Bs[BSIZE][BSIZE];
#pragma acc loop worker(BSIZE)
      for (ty = 0; ty < BSIZE; ty++) {
#pragma acc loop worker(BSIZE)
        for (tx = 0; tx < BSIZE; tx++) {
          int aBegin = N * BSIZE * by;
          int aEnd = aBegin + N - 1;
          int aStep = BSIZE;
          int bBegin = BSIZE * bx;
          int bStep = BSIZE * N;
          float Csub = 0;
          int a, b, k;
          for (a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
            As[ty][tx] = A[a + N * ty + tx];
            Bs[ty][tx] = B[b + N * ty + tx];
#pragma acc barrier
            for (k = 0; k < BSIZE; ++k)
              Csub += As[ty][k] * Bs[k][tx];
#pragma acc barrier
          }
          C[N * BSIZE * by + BSIZE * bx + N * ty + tx] = Csub;
        }
      }
    }
  }
}
int main(void) {
  float *A = malloc(N*N*4), *B = malloc(N*N*4), *C = malloc(N*N*4);
  for (int i = 0; i < N*N; i++) { A[i] = i % 7; B[i] = i % 5 - 2; C[i] = -1; }
  MatrixMultiplication(A, B, C);
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
    float s = 0; for (int k = 0; k < N; k++) s += A[i*N+k]*B[k*N+j];
    if (s != C[i*N+j]) { printf("wrong %d %d %g %g\n", i, j, s, C[i*N+j]); return 1; }
  }
  printf("right\n"); return 0;
}
