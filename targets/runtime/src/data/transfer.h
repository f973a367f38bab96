/* transfer.h: moving bytes between host and device. All with the device's lock held. */
#ifndef ARC_TRANSFER_H
#define ARC_TRANSFER_H
#include "device/device.h"

/* The purpose of a transfer, for messages and the trace. */
struct arc_transfer {
  const arc_site *site;
  const char *name;   /* "a[0:n]" */
  const char *action; /* "copyin" */
  bool held;          /* write: the host's bytes are held by the queue, nobody needs to wait */
  bool implicit;      /* no clause asks for it */
};
void arc_transfer_write(struct arc_device *, struct arc_queue *, const struct arc_transfer *,
                        struct arc_place, const void *host, size_t bytes);
void arc_transfer_read(struct arc_device *, struct arc_queue *, const struct arc_transfer *, void *host,
                       struct arc_place, size_t bytes);
void arc_transfer_copy(struct arc_device *, struct arc_queue *, const struct arc_transfer *,
                       struct arc_place to, struct arc_place from, size_t bytes);
void arc_transfer_fill(struct arc_device *, struct arc_queue *, const struct arc_transfer *, struct arc_place,
                       unsigned char byte, size_t bytes);

#endif
