// A shuffle in a branch that only some threads of the team take.
// expect: 17:13 error[shuffle-in-branch]
// remedy: leave threads out by the mask
int omp_get_thread_num(void);

int main(void) {
  int sums[2] = {0, 0}, v = 0;
#pragma omp target map(tofrom: sums)
#pragma omp parallel num_threads(64) shuffle(v)
  {
    const int t = omp_get_thread_num();
    v = t;
    int half = 0;
    if (t >= 32)
      half = 1;
    if (half) {
#pragma omp shuffle down(0xffffffff, 16, v +=, v)
      sums[1] = v;
    }
  }
  return sums[1] == 0;
}
