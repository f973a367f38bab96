/*
 * shape.h: what the elements of an argument are, as text that translated host code brings along:
 *
 *   EXTENT,EXTENT,...|BYTES|KIND@OFFSET*COUNT:NAME;...
 *
 * The extents are those of the dimensions below the first, BYTES is the size of an element. A scalar is one part without a
 * name; a struct has one for each member, `x.y` for members of members. Kinds: f32 f64 f80 (x87), i8 to i64, u8 to
 * u64, p (a pointer, whose value nobody compares) and x (bytes).
 */
#ifndef ARC_SHAPE_H
#define ARC_SHAPE_H
#include <stdbool.h>
#include <stddef.h>

struct arc_part {
  char kind; /* f, i, u, p, x */
  size_t bits, offset, count;
  const char *name; /* not terminated */
  size_t length;
};

/* Iterates over the parts of an element. */
struct arc_shape {
  const char *text, *next;
  size_t bytes;
};

/* False: the text is invalid or describes nothing. */
bool arc_shape_open(struct arc_shape *, const char *text);
bool arc_shape_next(struct arc_shape *, struct arc_part *);
/* "[3][4]" for element `index` of the argument; the index in the first dimension may be negative. */
void arc_shape_index(const struct arc_shape *, long long index, char *out, size_t room);

#endif
