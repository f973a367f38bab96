// A region uses a member that its struct does not have.
// expect: 10:10 error[no-such-member]
// remedy: mass
struct body {
  float mass;
};
void f(int n, struct body *b) {
#pragma acc parallel loop copy(b[0:n])
  for (int i = 0; i < n; i++)
    b[i].mas = 0;
}
