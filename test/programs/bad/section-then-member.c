// A section cannot be followed by a member.
// expect: 7:38 error[section-of-members]
struct point {
  float x, y;
};
void f(int n, struct point *p) {
#pragma acc parallel loop copy(p[0:n].x)
  for (int i = 0; i < n; i++)
    p[i].x = 0;
}
