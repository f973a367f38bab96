// Each gang has its own 's', and the loop reads what this gang has so far.
// expect: 10:16 warning[reduction-used-otherwise]
// remedy: use it behind the construct
void f(int n, int *first) {
  int s = 0;
#pragma acc parallel copyout(first[0:n]) reduction(+:s)
#pragma acc loop gang
  for (int i = 0; i < n; i++) {
    s += i;
    first[i] = s > 10;
  }
}
