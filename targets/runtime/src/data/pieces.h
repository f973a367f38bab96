/* pieces.h: sections that are not one piece of memory: rows behind pointers, every so many elements. */
#ifndef ARC_PIECES_H
#define ARC_PIECES_H
#include "arcrt.h"
#include <stddef.h>

enum arc_phase { ARC_ENTERS, ARC_LEAVES, ARC_UPDATES };

/* A directive's items, in which each table of pointers and each row behind one is an item of its own. */
struct arc_flat {
  const arc_item *items;
  size_t count;
  arc_item *made; /* NULL: they are the directive's own */
};
struct arc_flat arc_flatten(enum arc_phase, size_t n, const arc_item *);
void arc_flat_free(struct arc_flat *);

/* Calls `use` for each piece of memory of an item. */
typedef void arc_piece_use(void *context, char *host, size_t bytes);
void arc_pieces_each(const arc_item *, arc_piece_use *use, void *context);

#endif
