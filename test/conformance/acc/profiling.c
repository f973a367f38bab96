//: 5.1.6 events of compute constructs and launches, 5.2 what they tell
#include <acc_prof.h>
#include <unistd.h>
static struct {
  int events[acc_ev_last], wrong, ends, line, parent;
  size_t gangs, bytes;
} told;
static void note(acc_prof_info *where, acc_event_info *what, acc_api_info *api) {
  const acc_event_t event = where->event_type;
  told.events[event]++;
  told.wrong |= where->version != 202211 || api->device_type != where->device_type || what->event_type != event;
  if (event == acc_ev_compute_construct_start) {
    told.line = where->line_no;
    told.wrong |= strstr(where->src_file, "profiling.c") == NULL;
    told.parent = what->other_event.parent_construct;
    what->other_event.tool_info = &told;
  }
  told.ends += event == acc_ev_compute_construct_end && what->other_event.tool_info == &told;
  if (event == acc_ev_enqueue_launch_start)
    told.gangs = what->launch_event.num_gangs;
  if (event == acc_ev_enqueue_upload_start || event == acc_ev_enqueue_download_end)
    told.bytes += what->data_event.bytes;
}
static void note_all(acc_prof_reg reg) {
  for (int event = acc_ev_none + 1; event < acc_ev_last; event++)
    reg((acc_event_t)event, note, acc_reg);
}
TEST(profile_compute) {
  int a[10], line = __LINE__ + 4;
  acc_init(acc_device_default);
  memset(&told, 0, sizeof told);
  note_all(acc_prof_register);
#pragma acc parallel loop gang num_gangs(5) copyout(a)
  for (int i = 0; i < 10; i++)
    a[i] = i;
  note_all(acc_prof_unregister);
#pragma acc kernels copy(a)
  for (int i = 0; i < 10; i++)
    a[i]++;
  CHECK(a[9] == 10 && !told.wrong);
  CHECK(told.events[acc_ev_compute_construct_start] == 1 && told.events[acc_ev_compute_construct_end] == 1);
  CHECK(told.ends == 1 && told.line == line && told.parent == acc_construct_parallel);
  CHECK(told.events[acc_ev_enqueue_launch_start] == 1 && told.events[acc_ev_enqueue_launch_end] == 1);
  CHECK(told.gangs == 5);
  return 0;
}

//: 5.1.3 events of data: enter, exit, create, delete, upload, download, update
TEST(profile_data) {
  int a[8] = {1}, b[8];
  acc_init(acc_device_default);
  memset(&told, 0, sizeof told);
  note_all(acc_prof_register);
#pragma acc data copyin(a) create(b)
  {
#pragma acc serial
    b[0] = a[0] + 1;
#pragma acc update self(b[0:1])
  }
  note_all(acc_prof_unregister);
  const int shared = (int)acc_get_property(0, acc_device_current, acc_property_shared_memory_support);
  CHECK(b[0] == 2 && !told.wrong);
  CHECK(told.events[acc_ev_enter_data_start] >= 1 && told.events[acc_ev_exit_data_end] >= 1);
  CHECK(told.events[acc_ev_enter_data_start] == told.events[acc_ev_enter_data_end]);
  CHECK(told.events[acc_ev_create] == 2 && told.events[acc_ev_delete] == 2);
  CHECK(told.events[acc_ev_update_start] == 1 && told.events[acc_ev_update_end] == 1);
  CHECK(told.bytes == (shared ? 0 : sizeof a + sizeof *b));
  CHECK(told.events[acc_ev_alloc] == (shared ? 0 : 2) && told.events[acc_ev_free] == (shared ? 0 : 2));
  return 0;
}

//: 5.1.8 events of wait
TEST(profile_wait) {
  int a[8];
  acc_init(acc_device_default);
  memset(&told, 0, sizeof told);
#pragma acc parallel loop copyout(a) async(1)
  for (int i = 0; i < 8; i++)
    a[i] = i;
  note_all(acc_prof_register);
#pragma acc wait(1)
  acc_wait_all();
  note_all(acc_prof_unregister);
  CHECK(told.events[acc_ev_wait_start] == 2 && told.events[acc_ev_wait_end] == 2 && a[7] == 7);
  return 0;
}

//: 5.3.2 acc_prof_register twice, acc_prof_unregister, acc_toggle, acc_toggle_per_thread
static int launches;
static void count_launch(acc_prof_info *where, acc_event_info *what, acc_api_info *api) {
  (void)where, (void)what, (void)api;
  launches++;
}
static int launched(void) {
  int a[4];
  launches = 0;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 4; i++)
    a[i] = i;
  return launches;
}
TEST(profile_toggle) {
  const acc_event_t event = acc_ev_compute_construct_start;
  acc_prof_register(event, count_launch, acc_reg);
  acc_prof_register(event, count_launch, acc_reg);
  CHECK(launched() == 1);
  acc_prof_unregister(event, count_launch, acc_reg);
  CHECK(launched() == 1);
  acc_prof_unregister(event, count_launch, acc_toggle);
  CHECK(launched() == 0);
  acc_prof_register(event, count_launch, acc_toggle);
  CHECK(launched() == 1);
  acc_prof_unregister(event, NULL, acc_toggle);
  CHECK(launched() == 0);
  acc_prof_register(event, NULL, acc_toggle);
  acc_prof_unregister(acc_ev_none, NULL, acc_toggle);
  CHECK(launched() == 0);
  acc_prof_register(acc_ev_none, NULL, acc_toggle);
  acc_prof_unregister(acc_ev_none, NULL, acc_toggle_per_thread);
  CHECK(launched() == 0);
  acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
  CHECK(launched() == 1);
  acc_prof_unregister(event, count_launch, acc_reg);
  CHECK(launched() == 0);
  return 0;
}

//: 5.3.3 acc_prof_lookup
TEST(profile_lookup) {
  CHECK(acc_prof_lookup("acc_prof_register") == (acc_query_fn)acc_prof_register);
  CHECK(acc_prof_lookup("acc_prof_nothing") == NULL);
  return 0;
}

//: 5.1.8 acc_ev_error: a function saves what it can before an error ends the program
static void save(acc_prof_info *where, acc_event_info *what, acc_api_info *api) {
  (void)api;
  const acc_error_event_info *error = &what->error_event;
  const int right = error->event_type == acc_ev_error && error->error_code == acc_error_invalid_async &&
                    error->error_message && strstr(error->error_message, "-9") &&
                    error->parent_construct == acc_construct_parallel && where->line_no > 0;
  _Exit(right ? 0 : 1);
}
/* The program itself, which runs this test alone and fails in it. */
static int run_again(void) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0)
    return -1;
  program[length] = 0;
  char command[4200];
  snprintf(command, sizeof command, "PROFILE_ERROR=1 '%s' profile_error 2>/dev/null", program);
  return system(command);
}
TEST(profile_error) {
  int a[4], queue = -9;
  if (!getenv("PROFILE_ERROR")) {
    CHECK(run_again() == 0);
    return 0;
  }
  acc_prof_register(acc_ev_error, save, acc_reg);
#pragma acc parallel loop copyout(a) async(queue)
  for (int i = 0; i < 4; i++)
    a[i] = i;
  return __LINE__;
}
