/* Regions that use the program's memory as it is: nothing is mapped. */
#include <stdio.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory
struct list {
  int n;
  struct list *next;
};
int main(void) {
  int *p = malloc(20 * sizeof *p), sum = 0;
  struct list last = {3, NULL}, first = {4, &last}, *head = &first;
  for (int i = 0; i < 20; i++) p[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 20; i++) p[i] += 100;
#pragma omp target map(tofrom: sum)
  for (struct list *one = head; one; one = one->next) sum += one->n;
  printf("%d %d %d\n", p[0], p[19], sum);
  free(p);
  return 0;
}
