/* lanes.c: ordering between a device's task queues. */
#include "tasks/devices/lanes.h"
#include "launch/queue.h"

void arc_lane_follow(struct arc_lanes *lanes, const arc_site *site, int lane, int other, uint64_t number) {
  struct arc_lane *own = &lanes->all[lane];
  struct arc_device *device = lanes->device;
  if (lane == other || number <= own->behind[other] || !arc_lane_is_busy(lanes, other, number)) return;
  arc_device_lock(device);
  struct arc_queue *later = arc_queue_of(device, site, ARC_LANE(lane));
  struct arc_queue *earlier = arc_queue_of(device, site, ARC_LANE(other));
  bool good = device->backend->follow(device, later, earlier);
  arc_device_unlock(device);
  if (!good)
    arc_fail(site, "device-failed", NULL, "a task's work on %s cannot come after another's: %s", device->name, arc_reason());
  /* After everything queued so far. */
  own->behind[other] = lanes->all[other].queued;
}
