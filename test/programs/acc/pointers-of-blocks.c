// Pointers in a region lead to its own variables, to literals, to strings and, from structs and arrays, to other pointers.
// arc: items>1
#include "check.h"

#define N 133
#define CASES 9

struct pair {
  int x, y;
};

struct node {
  int value;
  const struct node *next;
};

typedef struct {
  const int *from;
  int n;
} range, *view;

static int length(const char *s) {
  int n = 0;
  while (s[n])
    n++;
  return n;
}

static int product(const struct pair *p) { return p->x * p->y; }

static int *later(int *p, int n) { return p + n; }

/* Called with pointers to memory of every kind. */
static int first_two(const int *p) { return p[0] + 10 * p[1]; }

static int through(const int *p) { return first_two(p) + 1; }

static long strings(int i) {
  const char *const names[] = {"zero", "one", i % 4 ? "three" : "seven"};
  const char *odd = i % 2 ? "odd" : "even", *name = names[i % 3];
  char buffer[] = "own";
  buffer[i % 3] = 0;
  return length(name) + 10 * length(odd) + length(buffer) + 100 * odd[0] + "literal"[i % 7];
}

static long literals(int i) {
  struct pair *p = &(struct pair){i, 2};
  int *a = (int[]){1, i, 3}, *one = &(int){i};
  a[2] += *one;
  p->y++;
  return product(p) + product(&(struct pair){.y = 4, .x = i}) + a[2] + 100 * (int[2]){5, 6}[i % 2];
}

static long arrays(int i) {
  int x = i, y = 2 * i, *both[2] = {&x, &y}, **first = both;
  *both[i % 2] = 99;
  **first += 1;
  return x + 1000 * y;
}

static long chain(int i) {
  struct node last = {i, 0}, middle = {2, &last}, head = {3, &middle};
  long sum = 0;
  for (const struct node *n = &head; n; n = n->next)
    sum = 10 * sum + n->value;
  return sum;
}

static long returned(int i) {
  int own[3] = {i, i + 1, i + 2};
  *later(own, 1) += 5;
  return own[1] + *later(own, 2);
}

static long named(int i) {
  int own[2] = {i, 7};
  range v = {own, 2};
  view w = &v;
  return w->from[1] + w->n;
}

int main(void) {
  static long got[N][CASES];
  static int a[5] = {1, 2, 3, 4, 5};

#pragma acc parallel loop copyout(got) copyin(a)
  for (int i = 0; i < N; i++) {
    int(*whole)[5] = &a, *part = &a[i % 3], *const *at = (int *const[]){part};
    got[i][0] = strings(i);
    got[i][1] = literals(i);
    got[i][2] = arrays(i);
    got[i][3] = chain(i);
    got[i][4] = returned(i);
    got[i][5] = named(i);
    got[i][6] = (*whole)[4] + (long)(sizeof a / sizeof *a) + (part - a);
    got[i][7] = at[0][2];
    int own[2] = {i, 3};
    got[i][8] = through(own) + 100 * through(a) + first_two(&own[0]);
  }

  for (int i = 0; i < N; i++) {
    long want[CASES] = {strings(i), literals(i), arrays(i), chain(i), returned(i), named(i),
                        10 + i % 3, i % 3 + 3,   2200 + 2 * (i + 30) + 1};
    for (int k = 0; k < CASES; k++)
      EXPECT_AT(i * CASES + k, got[i][k], want[k]);
  }
  return report();
}
