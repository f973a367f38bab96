typedef int (*operation)(int);

#pragma acc routine seq
int triple(int a);
#pragma acc routine seq
int quadruple(int a);
#pragma acc routine seq
int through(operation by, int a);

operation chosen(int k);
void all(operation by, int n, int *a);
