/* Each program checks itself and returns 0 when all was right. */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#define PROGRAM(name) int name(void);
#include "programs.def"
#undef PROGRAM
#endif
