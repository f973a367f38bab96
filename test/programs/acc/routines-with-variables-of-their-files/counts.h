#ifndef COUNTS_H
#define COUNTS_H
struct range {
  int low, high;
};

extern int calls[8];
extern double *weights;

#pragma acc routine seq
int inside(struct range r, int i);

#pragma acc routine seq
double weighted(int i);

/* Adds to a static variable of its file. */
#pragma acc routine seq
void count(int i);
int counted(int i);
void set_limits(int low, int high);
#endif
