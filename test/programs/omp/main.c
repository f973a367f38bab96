/* Runs the programs of this folder that the arguments name, or all of them. */
#include "programs.h"
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(void);
} programs[] = {
#define PROGRAM(name) {#name, name},
#include "programs.def"
};

int main(int argc, char **argv) {
  int failed = 0;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    int wanted = argc == 1;
    for (int k = 1; k < argc; k++)
      wanted |= !strcmp(argv[k], programs[i].name);
    if (wanted && programs[i].run()) {
      fprintf(stderr, "%s fails\n", programs[i].name);
      failed = 1;
    }
  }
  return failed;
}
