// Structs local to a region: nested, copied, with arrays, compound literals and designated initialisers.
// arc: items>1
#include "check.h"

typedef struct {
  float x, y;
} Point;

typedef struct {
  Point corner[2];
  int id;
} Box;

#define N 141

int main(void) {
  static Box boxes[N];
  static float area[N];

#pragma acc parallel loop copyout(boxes, area)
  for (int i = 0; i < N; i++) {
    Box b = {.id = i, .corner = {[1] = {.x = i, .y = 2}}};
    Point shift = {.y = 1}, *upper = &b.corner[1];
    upper->x += shift.y;
    b.corner[0] = (Point){0.5f, shift.x};
    Box copy = b;
    copy.id = -copy.id;
    boxes[i] = copy;
    area[i] = (b.corner[1].x - b.corner[0].x) * (upper->y - copy.corner[0].y);
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, boxes[i].id, -i);
    NEAR_AT(i, boxes[i].corner[0].x, 0.5, 0);
    NEAR_AT(i, boxes[i].corner[1].x, i + 1, 0);
    NEAR_AT(i, area[i], (i + 0.5) * 2, 0);
  }
  return report();
}
