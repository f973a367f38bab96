// A routine has one level of parallelism.
// expect: 3:25 error[conflicting-clauses]
#pragma acc routine seq vector
float weight(int i) { return i; }
