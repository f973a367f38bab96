// A routine directive names a function that does not exist.
// expect: 3:21 error[not-a-function]
#pragma acc routine(wieght) seq
float weight(int i) { return i; }
