/* pieces.c: sections that are not contiguous. */
#include "data/pieces.h"
#include "device/device.h"
#include <stdlib.h>

/* From the first to the last byte of one pointer's target. */
static size_t hull(const arc_pieces *pieces) {
  size_t bytes = pieces->bytes;
  for (size_t d = pieces->rows; d < pieces->ndims; d++) {
    if (!pieces->dims[d].count) return 0;
    bytes += (pieces->dims[d].count - 1) * pieces->dims[d].stride;
  }
  return pieces->bytes ? bytes : 0;
}

/* The mapping of a pointer table: the device's table holds device addresses of rows, and is never copied back. */
static unsigned table_map(enum arc_phase phase, unsigned map) {
  if (map == ARC_PRESENT || map == ARC_NO_CREATE) return map;
  return phase == ARC_LEAVES && (map == ARC_DELETE || map == ARC_COPYOUT) ? ARC_DELETE : ARC_COPYIN;
}

struct builder {
  enum arc_phase phase;
  arc_item *items;
  size_t count, room;
};

static void put(struct builder *builder, arc_item item) {
  if (builder->count == builder->room) {
    builder->room = builder->room ? 2 * builder->room : 16;
    arc_item *items = arc_allocate(builder->room * sizeof *items);
    for (size_t i = 0; i < builder->count; i++) items[i] = builder->items[i];
    free(builder->items);
    builder->items = items;
  }
  builder->items[builder->count++] = item;
}

/* `host`: the first byte at this level; NULL: the pointer before it is null. */
static void put_level(struct builder *builder, const arc_item *item, size_t level, char *host, void **pointer) {
  const arc_pieces *pieces = item->pieces;
  if (level == pieces->rows) {
    arc_item row = *item;
    row.host = host;
    row.size = hull(pieces);
    row.pointer = pointer;
    if (level) row.structure = NULL;
    put(builder, row);
    return;
  }
  const arc_dim *table = &pieces->dims[level];
  if (builder->phase != ARC_UPDATES) {
    arc_item pointers = *item;
    pointers.host = host;
    pointers.size = table->count * sizeof(void *);
    pointers.pointer = pointer;
    pointers.map = (__UINT16_TYPE__)table_map(builder->phase, item->map);
    pointers.flags &= ARC_FINALIZE | ARC_ONE_COUNT | ARC_IMPLICIT;
    pointers.pieces = NULL;
    if (level) pointers.structure = NULL;
    put(builder, pointers);
  }
  if (!host) return;
  for (size_t i = 0; i < table->count; i++) {
    void **row = (void **)(void *)host + i;
    put_level(builder, item, level + 1, *row ? (char *)*row + pieces->dims[level + 1].start : NULL, row);
  }
}

struct arc_flat arc_flatten(enum arc_phase phase, size_t n, const arc_item *items) {
  size_t apart = 0;
  for (size_t i = 0; i < n; i++) apart += items[i].pieces != NULL;
  if (!apart) return (struct arc_flat){items, n, NULL};
  struct builder builder = {.phase = phase};
  for (size_t i = 0; i < n; i++) {
    if (items[i].pieces) put_level(&builder, &items[i], 0, items[i].host, items[i].pointer);
    else put(&builder, items[i]);
  }
  return (struct arc_flat){builder.items, builder.count, builder.items};
}

void arc_flat_free(struct arc_flat *flat) { free(flat->made); }

static void use_from(const arc_pieces *pieces, size_t d, char *host, arc_piece_use *use, void *context) {
  if (d == pieces->ndims) {
    if (pieces->bytes) use(context, host, pieces->bytes);
    return;
  }
  const arc_dim *dim = &pieces->dims[d];
  for (size_t i = 0; i < dim->count; i++) use_from(pieces, d + 1, host + i * dim->stride, use, context);
}

void arc_pieces_each(const arc_item *item, arc_piece_use *use, void *context) {
  if (item->pieces) use_from(item->pieces, item->pieces->rows, item->host, use, context);
  else use(context, item->host, item->size);
}

void arc_list_add(arc_list *list, arc_item item) {
  if (list->n == list->room) {
    list->room = list->room ? 2 * list->room : 64;
    list->items = arc_resize(list->items, list->room * sizeof *list->items);
  }
  list->items[list->n++] = item;
}

void arc_list_end(arc_list *list) { free(list->items); }
