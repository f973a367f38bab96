/* error_tool.c: what ACC_PROFLIB names: tells what ends the program. */
#include <acc_prof.h>
#include <stdio.h>

static void failed(acc_prof_info *where, acc_event_info *what, acc_api_info *api) {
  const acc_error_event_info *error = &what->error_event;
  printf("%s:%d construct %d error %d on %s: %s\n", where->src_file ? where->src_file : "?", where->line_no,
         (int)error->parent_construct, (int)error->error_code,
         where->device_type == api->device_type && where->device_type != acc_device_none ? "a device" : "none",
         error->error_message);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
  (void)unreg, (void)lookup;
  reg(acc_ev_error, failed, acc_reg);
}
