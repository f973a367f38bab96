// A routine should say which parallelism it may use; without, it runs in order.
// expect: 4:13 warning[routine-without-level]
// remedy: seq
#pragma acc routine
float weight(int i) { return i; }
