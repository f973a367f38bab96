// A function of a library's name, where no header declares that one.
#pragma acc routine seq
static double log2(double a) { return a + 1; }

void logarithms(double *logs, int n) {
  int arc_groups = 0;
#pragma acc parallel num_gangs(7) vector_length(32) copyout(logs[0:n])
#pragma acc loop gang vector
  for (int i = 0; i < n; i++) {
    int item = i, i_from_first = 2;
    logs[i] = log2(item) + i_from_first + arc_groups;
  }
}
