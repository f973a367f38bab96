// An update that moves nothing.
// expect: 6:13 error[update-without-data]
// remedy: self
void f(int n, float *a) {
#pragma acc enter data copyin(a[0:n])
#pragma acc update async(1)
#pragma acc exit data delete(a[0:n])
}
