/* box.c: sections of arrays as boxes of bytes. */
#include "tasks/order/box.h"

/*
 * Array dimensions nest: a row is at least as long as the section's part of it. Rows that join without a gap are merged
 * into one run, so that a whole array is contiguous however many dimensions it has.
 */
bool arc_box_of(const arc_task_access *access, arc_task_rows *rows, struct arc_box *box) {
  if (access->size <= 0) return false;
  size_t size = (size_t)access->size;
  int inner = access->dims;
  while (inner > 0 && (access->rows[inner - 1].count == 1 || access->rows[inner - 1].stride == size)) {
    const arc_task_rows *row = &access->rows[--inner];
    if (row->count > 1) size *= (size_t)row->count;
    if (row->count <= 0) return false;
  }
  unsigned dims = 0;
  size_t extent = size;
  for (int i = 0; i < inner; i++) {
    if (access->rows[i].count <= 0) return false;
    if (access->rows[i].count == 1) continue;
    rows[dims++] = access->rows[i];
    extent += (size_t)(access->rows[i].count - 1) * access->rows[i].stride;
  }
  *box = (struct arc_box){(uintptr_t)access->start, size, extent, rows, dims};
  return true;
}

/* ---------------------------------------------------------------- overlap */

/*
 * Both boxes have the same strides: they overlap if for some differences k of the row numbers, one per dimension, the runs
 * overlap. The reach of the inner dimensions limits each dimension to two or three values of k.
 */
static bool differences_meet(const struct arc_box *a, const struct arc_box *b, unsigned dim, intptr_t offset) {
  if (dim == a->dims) return offset < (intptr_t)a->size && -offset < (intptr_t)b->size;
  intptr_t least = 0, most = 0;
  for (unsigned i = dim + 1; i < a->dims; i++) {
    least -= (intptr_t)(a->rows[i].count - 1) * (intptr_t)a->rows[i].stride;
    most += (intptr_t)(b->rows[i].count - 1) * (intptr_t)b->rows[i].stride;
  }
  intptr_t stride = (intptr_t)a->rows[dim].stride;
  /* offset + k * stride + [least, most] must reach into (-size of b, size of a). */
  intptr_t from = -(intptr_t)b->size + 1 - most - offset, to = (intptr_t)a->size - 1 - least - offset;
  intptr_t first = from / stride + (from > 0 && from % stride != 0);
  intptr_t last = to / stride - (to < 0 && to % stride != 0);
  if (first < -(intptr_t)(a->rows[dim].count - 1)) first = -(intptr_t)(a->rows[dim].count - 1);
  if (last > (intptr_t)(b->rows[dim].count - 1)) last = (intptr_t)(b->rows[dim].count - 1);
  for (intptr_t k = first; k <= last; k++)
    if (differences_meet(a, b, dim + 1, offset + k * stride)) return true;
  return false;
}

static bool same_strides(const struct arc_box *a, const struct arc_box *b) {
  if (a->dims != b->dims) return false;
  for (unsigned i = 0; i < a->dims; i++)
    if (a->rows[i].stride != b->rows[i].stride) return false;
  return true;
}

/* The rows of a dimension that may have a byte in [low, high): `first` to `last`. */
struct rows_between {
  intptr_t first, last;
};

static struct rows_between between(const struct arc_box *box, unsigned dim, size_t extent, intptr_t low, intptr_t high) {
  intptr_t stride = (intptr_t)box->rows[dim].stride;
  intptr_t first = low < (intptr_t)extent ? 0 : (low - (intptr_t)extent) / stride + 1;
  intptr_t last = high <= 0 ? -1 : (high - 1) / stride;
  if (last > (intptr_t)box->rows[dim].count - 1) last = (intptr_t)box->rows[dim].count - 1;
  return (struct rows_between){first, last};
}

/* The extent of one row of a dimension. */
static size_t extent_inside(size_t extent, const struct arc_box *box, unsigned dim) {
  return extent - (size_t)(box->rows[dim].count - 1) * box->rows[dim].stride;
}

/* Whether a part of the box, which starts at 0, has a byte in the nonempty interval [low, high). */
static bool reaches(const struct arc_box *box, unsigned dim, size_t extent, intptr_t low, intptr_t high) {
  if (dim == box->dims) return low < (intptr_t)box->size && high > 0;
  size_t inside = extent_inside(extent, box, dim);
  struct rows_between rows = between(box, dim, inside, low, high);
  intptr_t stride = (intptr_t)box->rows[dim].stride;
  /* Of three rows the middle one lies inside the interval. */
  if (rows.last - rows.first >= 2) return true;
  for (intptr_t i = rows.first; i <= rows.last; i++)
    if (reaches(box, dim + 1, inside, low - i * stride, high - i * stride)) return true;
  return false;
}

/* Whether any run of this part of `a`, which starts at `at`, overlaps `b`. */
static bool runs_meet(const struct arc_box *a, unsigned dim, size_t extent, uintptr_t at, const struct arc_box *b) {
  intptr_t low = (intptr_t)(at - b->start);
  if (dim == a->dims) return reaches(b, 0, b->extent, low, low + (intptr_t)a->size);
  size_t inside = extent_inside(extent, a, dim);
  struct rows_between rows = between(a, dim, inside, -low, (intptr_t)b->extent - low);
  for (intptr_t i = rows.first; i <= rows.last; i++)
    if (runs_meet(a, dim + 1, inside, at + (uintptr_t)i * a->rows[dim].stride, b)) return true;
  return false;
}

static size_t runs(const struct arc_box *box) {
  size_t count = 1;
  for (unsigned i = 0; i < box->dims; i++) count *= (size_t)box->rows[i].count;
  return count;
}

bool arc_boxes_meet(const struct arc_box *a, const struct arc_box *b) {
  if (a->start >= b->start + b->extent || b->start >= a->start + a->extent) return false;
  if (a->dims == 0 && b->dims == 0) return true;
  if (same_strides(a, b)) return differences_meet(a, b, 0, (intptr_t)(b->start - a->start));
  return runs(a) <= runs(b) ? runs_meet(a, 0, a->extent, a->start, b) : runs_meet(b, 0, b->extent, b->start, a);
}

/* ---------------------------------------------------------------- containment */

bool arc_box_holds(const struct arc_box *a, const struct arc_box *b) {
  if (b->start < a->start || b->start + b->extent > a->start + a->extent) return false;
  if (a->dims == 0) return true;
  if (!same_strides(a, b)) return false;
  size_t offset = b->start - a->start;
  for (unsigned i = 0; i < a->dims; i++) {
    size_t row = offset / a->rows[i].stride;
    if (row + (size_t)b->rows[i].count > (size_t)a->rows[i].count) return false;
    offset %= a->rows[i].stride;
  }
  return offset + b->size <= a->size;
}
