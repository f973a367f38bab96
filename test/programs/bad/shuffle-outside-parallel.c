// A shuffle where a team is its first thread alone.
// expect: 9:13 error[shuffle-outside-parallel]
// remedy: write it inside a 'parallel' construct

int main(void) {
  int x = 0, v = 0;
#pragma omp target teams num_teams(2) map(tofrom: x) shuffle(v)
  {
#pragma omp shuffle down(0xffffffff, 1, x, v)
    v++;
  }
  return x;
}
