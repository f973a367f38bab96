// A routine must say which parallelism it may use.
// expect: 4:13 error[routine-without-level]
// remedy: seq
#pragma acc routine
float weight(int i) { return i; }
