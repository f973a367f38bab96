// Enter data only brings data in.
// expect: 5:24 error[misplaced-clause]
// remedy: copyin
void f(int n, float *a) {
#pragma acc enter data copy(a[0:n])
}
