// Directives that are indented, go over several lines or have comments in them: places are those of the file.
// expect: 11:7 error[unknown-clause]
// expect: 13:39 error[unknown-clause]
// expect: 16:24 error[unknown-clause]
// expect: 20:20 error[expected-parenthesis]
void f(int n, int *a, int *b) {
#pragma acc data copy(a[0:n], \
                      b[0:n])
  {
    #  pragma   acc parallel   loop \
      gangs // as many as there are
    for (int i = 0; i < n; i++) {
      #pragma acc loop /* of one   */ verctor
      for (int j = 0; j < n; j++) a[i] += j;
#pragma acc loop /* of many
      */ reduction(+:n)sequential
      for (int j = 0; j < n; j++) a[i] += j;
    }
	#pragma acc \
	update self(a[0:n]
  }
}
