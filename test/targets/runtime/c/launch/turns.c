/*
 * A region that makes a step of time, launched as the letters of argv[1] say, inside a data region with two arrays:
 *   s  a step from the current array to the other one, which is then the current one
 *   r  a step that leaves the current array as it is
 *   v  another value for later steps
 *   u  update: prints both arrays
 *   b  another region adds 1 to the current array
 *   d  asks for a device address
 *   w  waits
 *   q  a step on a queue of its own, which is waited for
 * In the end it prints both arrays.
 */
#include "openacc.h"
#include "arcrt.h"
#include <stdio.h>

enum { n = 4 };
static const arc_site site = {"turns.c", 17, "parallel loop"};
static unsigned a[n], b[n];

static void print(void) {
  for (int k = 0; k < n; k++) printf("%u %u ", a[k], b[k]);
  printf("\n");
}

static void step(unsigned *from, unsigned *to, unsigned value, int async) {
  const arc_item items[] = {{.name = "from", .host = from, .size = sizeof a, .map = ARC_PRESENT},
                            {.name = "to", .host = to, .size = sizeof a, .map = ARC_PRESENT}};
  const arc_arg arguments[] = {{.name = "to", .host = to, .kind = ARC_ARG_BUFFER},
                               {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE},
                               {.name = "from", .host = from, .kind = ARC_ARG_BUFFER}};
  const arc_launch_config config = {.async = async == ARC_SYNC ? ARC_JOINED : async};
  arc_data_begin(&site, async == ARC_SYNC ? ARC_JOINED : async, 2, items);
  arc_launch(&site, "step", &config, 3, arguments);
  arc_data_end(&site, async, 2, items);
}

int main(int argc, char **argv) {
  (void)argc;
  for (unsigned k = 0; k < n; k++) a[k] = k, b[k] = 100 + k;
  const arc_item items[] = {{.name = "a", .host = a, .size = sizeof a, .map = ARC_COPY},
                            {.name = "b", .host = b, .size = sizeof b, .map = ARC_COPY}};
  const arc_launch_config config = {.async = ARC_SYNC};
  unsigned *current = a, *other = b, value = 1;
  arc_data_begin(&site, ARC_SYNC, 2, items);
  for (const char *letter = argv[1]; *letter; letter++) {
    const arc_arg bumped[] = {{.name = "x", .host = current, .kind = ARC_ARG_BUFFER}};
    switch (*letter) {
    case 's':
    case 'q':
      step(current, other, value, *letter == 's' ? ARC_SYNC : 1);
      if (*letter == 'q') arc_wait(&site, ARC_SYNC, 0, NULL);
      unsigned *was = current;
      current = other, other = was;
      break;
    case 'r': step(current, other, value, ARC_SYNC); break;
    case 'v': value += 2; break;
    case 'b': arc_launch(&site, "bump", &config, 1, bumped); break;
    case 'd': acc_deviceptr(a); break;
    case 'w': arc_wait(&site, ARC_SYNC, 0, NULL); break;
    case 'u': {
      const arc_item both[] = {{.name = "a", .host = a, .size = sizeof a, .map = ARC_UPDATE_SELF},
                               {.name = "b", .host = b, .size = sizeof b, .map = ARC_UPDATE_SELF}};
      arc_update(&site, ARC_SYNC, 2, both);
      print();
    }
    }
  }
  arc_data_end(&site, ARC_SYNC, 2, items);
  print();
  return 0;
}
