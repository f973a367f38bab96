#ifndef FIELD_H
#define FIELD_H
#define FIELD_SIZE 457
extern double field[FIELD_SIZE];
#pragma acc declare create(field)

void fill_field(double slope);
#endif
