// The sieve of Eratosthenes: lanes write the same value to the same place, each through an atomic write.
// arc: items>1
#include "check.h"

#define N 5000

int main(void) {
  static int composite[N];
  int primes = 0;

#pragma acc data copy(composite)
  {
#pragma acc parallel loop
    for (int i = 2; i < 71; i++)
      for (int j = i * i; j < N; j += i) {
#pragma acc atomic write
        composite[j] = 1;
      }
#pragma acc parallel loop reduction(+:primes)
    for (int i = 2; i < N; i++)
      primes += !composite[i];
  }

  EXPECT(primes, 669);
  return report();
}
