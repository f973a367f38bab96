#include "table.h"

int table_size = 16;
static int table[16];
#pragma acc declare create(table)

void set_table(int factor) {
  for (int i = 0; i < 16; i++)
    table[i] = factor * i;
#pragma acc update device(table)
}

int look_up(int i) { return table[i % table_size]; }
