// A clause stands where the directive should.
// expect: 6:13 error[unknown-directive]
// remedy: begin with the directive
int main(void) {
  int a[9];
#pragma acc copy(a) parallel loop
  for (int i = 0; i < 9; i++)
    a[i] = i;
  return a[0];
}
