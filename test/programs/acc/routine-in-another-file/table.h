#ifndef TABLE_H
#define TABLE_H
extern int table_size;
#pragma acc declare copyin(table_size)

/* Fills the table with multiples of the factor. */
void set_table(int factor);

#pragma acc routine seq
int look_up(int i);
#endif
