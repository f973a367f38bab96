// An executable directive between functions.
// expect: 4:13 error[directive-outside-function]
float a[10];
#pragma acc enter data copyin(a)
void f(void) { a[0] = 1; }
