// Data leaves by exit data.
// expect: 4:24 error[misplaced-clause]
void f(int n, float *a) {
#pragma acc enter data delete(a[0:n])
}
