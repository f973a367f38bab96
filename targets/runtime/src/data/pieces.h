/* pieces.h: sections that are not contiguous: rows behind pointers, strided elements. */
#ifndef ARC_PIECES_H
#define ARC_PIECES_H
#include "arcrt.h"
#include <stddef.h>

enum arc_phase { ARC_ENTERS, ARC_LEAVES, ARC_UPDATES };

/* A directive's items, with a separate item for each pointer table and each row. */
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
