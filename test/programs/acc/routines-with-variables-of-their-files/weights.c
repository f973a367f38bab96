#include "counts.h"
#include <stddef.h>

double *weights = NULL;
static const double table[4] = {0.5, 1, 2, 4};

static int clamp(int i) { return i & 3; }

double weighted(int i) { return weights[i] * table[clamp(i)]; }
