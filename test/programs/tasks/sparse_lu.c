/* LU of a sparse matrix of tiles: which tasks there are depends on the data, and some tiles come into being on the way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 10, BS = 16 };
typedef float tile[BS][BS];

static tile *matrix[TILES][TILES];

static void lu0(tile *d) {
  for (int k = 0; k < BS; k++)
    for (int i = k + 1; i < BS; i++) {
      (*d)[i][k] /= (*d)[k][k];
      for (int j = k + 1; j < BS; j++) (*d)[i][j] -= (*d)[i][k] * (*d)[k][j];
    }
}

static void fwd(tile *d, tile *c) {
  for (int j = 0; j < BS; j++)
    for (int k = 0; k < BS; k++)
      for (int i = k + 1; i < BS; i++) (*c)[i][j] -= (*d)[i][k] * (*c)[k][j];
}

static void bdiv(tile *d, tile *r) {
  for (int i = 0; i < BS; i++)
    for (int k = 0; k < BS; k++) {
      (*r)[i][k] /= (*d)[k][k];
      for (int j = k + 1; j < BS; j++) (*r)[i][j] -= (*r)[i][k] * (*d)[k][j];
    }
}

#pragma oss task in(*r, *c) inout(*inner)
static void bmod(tile *r, tile *c, tile *inner) {
  for (int i = 0; i < BS; i++)
    for (int j = 0; j < BS; j++)
      for (int k = 0; k < BS; k++) (*inner)[i][j] -= (*r)[i][k] * (*c)[k][j];
}

int main(void) {
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j < TILES; j++) {
      if (i != j && abs(i - j) != 1 && (i * 3 + j * 5) % 7 > 2) continue;
      matrix[i][j] = malloc(sizeof(tile));
      for (int x = 0; x < BS; x++)
        for (int y = 0; y < BS; y++)
          (*matrix[i][j])[x][y] = (i == j && x == y ? 100 : 0) + (float)((x * 5 + y * 3 + i - j) % 9) / 9;
    }
  for (int k = 0; k < TILES; k++) {
    tile *d = matrix[k][k];
#pragma oss task inout(*d)
    lu0(d);
    for (int j = k + 1; j < TILES; j++)
      if (matrix[k][j]) {
        tile *c = matrix[k][j];
#pragma omp task depend(in: *d) depend(inout: *c)
        fwd(d, c);
      }
    for (int i = k + 1; i < TILES; i++)
      if (matrix[i][k]) {
        tile *r = matrix[i][k];
#pragma omp task in(*d) inout(*r)
        bdiv(d, r);
      }
    for (int i = k + 1; i < TILES; i++)
      for (int j = k + 1; matrix[i][k] && j < TILES; j++)
        if (matrix[k][j]) {
          if (!matrix[i][j]) matrix[i][j] = memset(malloc(sizeof(tile)), 0, sizeof(tile));
          bmod(matrix[i][k], matrix[k][j], matrix[i][j]);
        }
  }
#pragma oss taskwait
  double sum = 0;
  int count = 0;
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j < TILES; j++)
      if (matrix[i][j]) {
        count++;
        for (int x = 0; x < BS * BS; x++) sum += (*matrix[i][j])[x / BS][x % BS] * (x % 7);
      }
  printf("%d %.17g\n", count, sum);
  return 0;
}
