#include "overhead.h"

static void empty(void) {
  for (long i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
    __asm__ volatile("" ::"r"(i));
  }
}

static void four(void) {
  for (long i = 0; i < TASKS; i++) {
    double *a = &cells[i * 7 % CELLS], *b = &cells[(i * 7 + 3) % CELLS], *c = &cells[(i * 7 + 6) % CELLS],
           *d = &cells[(i * 7 + 9) % CELLS];
#pragma omp task firstprivate(i) depend(inout : *a) depend(in : *b, *c, *d)
    __asm__ volatile("" ::"r"(i));
  }
}

static void chain(void) {
  for (long i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i) depend(inout : cells[0])
    __asm__ volatile("" ::"r"(i));
  }
}

static void finish(void) {
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    report("empty", empty, finish);
    report("four", four, finish);
    report("chain", chain, finish);
  }
}
