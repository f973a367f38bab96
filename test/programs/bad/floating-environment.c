// Rounding modes and exception flags belong to the host: a program that says that it uses them hears that regions do not.
// expect: 6:9 warning[floating-environment]
// remedy: <fenv.h>
#include <fenv.h>

#pragma STDC FENV_ACCESS ON
int inexact(double *x) {
  feclearexcept(FE_ALL_EXCEPT);
#pragma acc parallel loop copy(x[0 : 8])
  for (int i = 0; i < 8; i++)
    x[i] /= 3;
  return fetestexcept(FE_INEXACT);
}
