// A loop variable that starts below zero is compared with an unsigned bound.
// expect: 8:3 error[not-a-counted-loop]
// remedy: loop-invariant
static int a[16];

int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = -3; i < 5u; i++)
    a[i + 3] = i;
  return 0;
}
