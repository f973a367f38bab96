// A routine directive before something that is no function.
// expect: 3:13 error[routine-without-function]
#pragma acc routine seq
int table[4];
