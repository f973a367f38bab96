// A variable is declared for the device twice.
// expect: 5:28 error[duplicate-variable]
static float table[10];
#pragma acc declare create(table)
#pragma acc declare copyin(table)
float f(int i) { return table[i]; }
