// An enter data that enters nothing.
// expect: 5:13 error[data-without-clause]
// remedy: copyin
void f(int n) {
#pragma acc enter data async(n)
}
