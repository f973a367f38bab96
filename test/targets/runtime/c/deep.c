/* Deep copies: structs with pointers to mapped arrays, attached, updated and detached. */
#include "check.h"
#include <string.h>

enum { structs = 50, length = 20 };
struct row {
  int factor;
  int *values;
  long sum;
};

static void scale(struct row *rows) {
  const int64_t trips[] = {structs};
  const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
  int length_value = length;
  const arc_arg args[] = {
      {.name = "rows", .host = rows, .kind = ARC_ARG_BUFFER},
      {.name = "length", .host = &length_value, .size = sizeof length_value, .kind = ARC_ARG_VALUE}};
  arc_launch(SITE("parallel loop"), "scale", &config, 2, args);
}

static arc_item values_of(struct row *row, enum arc_map map) {
  return (arc_item){.name = "rows[i].values[0:length]",
                    .host = row->values,
                    .size = length * sizeof *row->values,
                    .pointer = (void **)&row->values,
                    .map = (uint16_t)map};
}

int main(void) {
  struct row rows[structs];
  int *values[structs];
  for (int i = 0; i < structs; i++) {
    values[i] = malloc(length * sizeof(int));
    for (int j = 0; j < length; j++) values[i][j] = i + j;
    rows[i] = (struct row){2, values[i], 0};
  }
  const arc_item all = ITEM(COPYIN, rows, structs);
  arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &all);
  for (int i = 0; i < structs; i++) {
    arc_item item = values_of(&rows[i], ARC_COPYIN);
    arc_enter_data(SITE("enter data"), ARC_SYNC, 1, &item);
  }
  scale(rows);

  /* Each side keeps its own pointers. */
  const arc_item self = ITEM(UPDATE_SELF, rows, structs);
  arc_update(SITE("update"), ARC_SYNC, 1, &self);
  for (int i = 0; i < structs; i++) {
    CHECK(rows[i].values == values[i]);
    CHECK(rows[i].sum == 2 * (length * i + length * (length - 1) / 2));
    rows[i].factor = 10;
    rows[i].sum = -1;
  }
  const arc_item device = ITEM(UPDATE_DEVICE, rows, structs);
  arc_update(SITE("update"), ARC_SYNC, 1, &device);
  scale(rows);

  /* Attached twice, detached once: still attached. */
  acc_attach((void **)&rows[3].values);
  acc_detach((void **)&rows[3].values);
  scale(rows);
  for (int i = 0; i < structs; i++) {
    arc_item item = values_of(&rows[i], ARC_COPYOUT);
    arc_exit_data(SITE("exit data"), ARC_SYNC, 1, &item);
    for (int j = 0; j < length; j++) CHECK(values[i][j] == 200 * (i + j));
    CHECK(!arc_is_mapped(values[i], sizeof(int)));
  }
  /* Detached pointers are the host's again: the whole struct comes back as it was. */
  const arc_item back = ITEM(COPYOUT, rows, structs);
  arc_exit_data(SITE("exit data"), ARC_SYNC, 1, &back);
  for (int i = 0; i < structs; i++) CHECK(rows[i].values == values[i]);

  /* A data region with the struct and its member; then the same for a member that is not mapped. */
  const arc_item region[] = {ITEM(COPY, rows, structs), values_of(&rows[0], ARC_COPY)};
  arc_data_begin(SITE("data"), ARC_SYNC, 2, region);
  arc_data_end(SITE("data"), ARC_SYNC, 2, region);
  CHECK(rows[0].values == values[0]);
  acc_copyin(rows, sizeof rows);
  acc_attach((void **)&rows[1].values);
  acc_detach_finalize((void **)&rows[1].values);
  acc_delete(rows, sizeof rows);

  for (int i = 0; i < structs; i++) free(values[i]);
  puts("right");
  return 0;
}
