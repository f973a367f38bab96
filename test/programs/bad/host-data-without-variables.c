// A host_data construct without use_device.
// expect: 6:13 error[host-data-without-variables]
// remedy: use_device
void g(float *);
void f(int n, float *a) {
#pragma acc host_data if_present
  g(a + n);
}
