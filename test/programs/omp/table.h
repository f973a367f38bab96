/* A table on the device, and the function that reads it there. */
#ifndef TABLE_H
#define TABLE_H
#pragma omp declare target
extern int table[5];
int lookup(int i);
int count_lookups(int *counts, int i);
#pragma omp end declare target
#endif
