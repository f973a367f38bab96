// A scalar cannot stand for its address on the device.
// expect: 8:34 error[address-of-scalar]
// remedy: array of one element
extern void library(float *);
void f(void) {
  float x = 1;
#pragma acc data copy(x)
#pragma acc host_data use_device(x)
  library(&x);
}
