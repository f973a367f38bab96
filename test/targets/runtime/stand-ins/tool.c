/* tool.c: what ACC_PROFLIB names: counts events, and tells them when the runtime ends. */
#include <acc_prof.h>
#include <stdio.h>

static int events[acc_ev_last];
static size_t up, down;

static void note(acc_prof_info *where, acc_event_info *what, acc_api_info *api) {
  (void)api;
  events[where->event_type]++;
  if (where->event_type == acc_ev_enqueue_upload_start) up += what->data_event.bytes;
  if (where->event_type == acc_ev_enqueue_download_start) down += what->data_event.bytes;
  if (where->event_type != acc_ev_runtime_shutdown) return;
  printf("devices %d %d\n", events[acc_ev_device_init_end], events[acc_ev_device_shutdown_end]);
  printf("launches %d\n", events[acc_ev_enqueue_launch_start]);
  printf("bytes up %zu down %zu\n", up, down);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
  (void)unreg;
  for (int event = acc_ev_none + 1; event < acc_ev_last; event++) reg((acc_event_t)event, note, acc_reg);
  if (lookup("acc_prof_register") != (acc_query_fn)reg) puts("another acc_prof_register");
}
