// A reduction applies to each member, and there is no sum of addresses.
// expect: 7:39 error[reduction-type]
// remedy: arrays and structs of them
struct list { int n, *first; };
int f(int n) {
  struct list l = {0, 0};
#pragma acc parallel loop reduction(+:l)
  for (int i = 0; i < n; i++)
    l.n++;
  return l.n;
}
