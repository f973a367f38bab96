#include "field.h"

double field[FIELD_SIZE];

void fill_field(double slope) {
#pragma acc parallel loop present(field)
  for (int i = 0; i < FIELD_SIZE; i++)
    field[i] = slope * i;
}
