// A set directive that sets nothing.
// expect: 4:13 error[set-without-clause]
void f(void) {
#pragma acc set
}
