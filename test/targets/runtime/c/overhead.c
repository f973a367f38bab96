/* What calls cost on whatever device is chosen: the time of each when there is little to do, and transfers.
 */
#include "check.h"
#include <string.h>
#include <time.h>

enum { arrays = 1000, length = 16, rounds = 200000 };
static int block[arrays * length * 2];

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void) {
  static const arc_site site = {"overhead.c", 1, "data"};
  for (int i = 0; i < arrays; i++) acc_copyin(block + 2 * i * length, length * sizeof(int));
  arc_item items[8];
  for (int i = 0; i < 8; i++)
    items[i] = (arc_item){
        .name = "a", .host = block + 200 * i * length, .size = length * sizeof(int), .map = ARC_COPY};
  double begin = now();
  for (int i = 0; i < rounds; i++) {
    arc_data_begin(&site, ARC_SYNC, 8, items);
    arc_data_end(&site, ARC_SYNC, 8, items);
  }
  printf("present item, in and out      %7.1f ns\n", (now() - begin) / rounds / 8);

  const int64_t trips[] = {1};
  const arc_launch_config config = {.async = ARC_SYNC, .ntrips = 1, .trips = trips};
  int value = 1, count = 1;
  const arc_arg args[] = {{.name = "p", .host = block + 300 * length, .kind = ARC_ARG_BUFFER},
                          {.name = "value", .host = &value, .size = sizeof value, .kind = ARC_ARG_VALUE},
                          {.name = "count", .host = &count, .size = sizeof count, .kind = ARC_ARG_VALUE}};
  arc_launch(&site, "add", &config, 3, args);
  int launches = acc_get_device_type() == acc_device_opencl ? 2000 : rounds;
  begin = now();
  for (int i = 0; i < launches; i++) arc_launch(&site, "add", &config, 3, args);
  printf("launch of one group, waited   %7.1f ns\n", (now() - begin) / launches);
  begin = now();
  for (int i = 0; i < rounds; i++) {
    acc_create(block + length, length * sizeof(int));
    acc_delete(block + length, length * sizeof(int));
  }
  printf("create and delete             %7.1f ns\n", (now() - begin) / rounds);

  for (size_t size = 4096; size <= (size_t)256 << 20; size *= 256) {
    char *data = malloc(size);
    memset(data, 1, size);
    acc_copyin(data, size);
    int times = size > 1 << 24 ? 8 : 500;
    acc_update_device(data, size);
    begin = now();
    for (int i = 0; i < times; i++) acc_update_device(data, size);
    double in = (now() - begin) / times;
    begin = now();
    for (int i = 0; i < times; i++) acc_update_self(data, size);
    double out = (now() - begin) / times;
    printf("update of %9zu bytes     device %6.2f GB/s, self %6.2f GB/s\n", size, (double)size / in,
           (double)size / out);
    acc_delete(data, size);
    free(data);
  }
  return 0;
}
