// A global array declared on the device in a header, filled by one file and used by another.
// arc: items>1
#include "../check.h"
#include "field.h"

int main(void) {
  fill_field(2);
  double sum = 0;
#pragma acc parallel loop present(field) reduction(+:sum)
  for (int i = 0; i < FIELD_SIZE; i++)
    sum += field[i];
  NEAR(sum, FIELD_SIZE * (FIELD_SIZE - 1.0), 1e-12);
  return report();
}
