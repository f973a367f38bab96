// The list in parentheses is a form of its own, which takes no clauses; a variable has a copy or is linked, not both.
// expect: 6:31 error[list-beside-clauses]
// expect: 7:37 error[repeated-variable]
// remedy: write enter(x) instead of the list
int x, y, z;
#pragma omp declare target(x) to(y)
#pragma omp declare target enter(z) link(z)
int f(void) { return x + y + z; }
