//: 3.2.1 acc_get_num_devices, 3.2.2 acc_set_device_type, 3.2.4 acc_set_device_num
TEST(test_devices) {
  acc_device_t type = acc_get_device_type();
  CHECK(acc_get_num_devices(type) >= 1 && acc_get_device_num(type) == 0);
  acc_set_device_num(0, type);
  return 0;
}

//: 3.2.6 acc_get_property
TEST(test_property) {
  acc_device_t type = acc_get_device_type();
  CHECK(acc_get_property_string(0, type, acc_property_name) != NULL);
  CHECK(acc_get_property_string(0, type, acc_property_vendor) != NULL);
  CHECK(acc_get_property_string(0, type, acc_property_driver) != NULL);
  CHECK(acc_get_property(0, type, acc_property_memory) > 0);
  CHECK(acc_get_property(0, type, acc_property_shared_memory_support) < 2);
  return 0;
}

//: 3.2.9 acc_async_test, 3.2.11 acc_wait, 3.2.13 acc_wait_async
TEST(test_queues) {
  int a[8];
#pragma acc enter data create(a)
#pragma acc parallel loop async(1) present(a)
  for (int i = 0; i < 8; i++)
    a[i] = i;
  acc_wait_async(1, 2);
  acc_wait(2);
  CHECK(acc_async_test(1) && acc_async_test_all());
  acc_wait_all();
  acc_wait_all_async(3);
  acc_wait_any(2, (int[]){1, 2});
#pragma acc exit data copyout(a)
  CHECK(a[7] == 7);
  return 0;
}

//: 3.2.13 acc_wait_any, of queues that acc_async_sync replaces one by one
TEST(test_wait_any_in_turn) {
  int a[3][64] = {{0}}, queues[3] = {4, 5, 6}, done, waits = 0;
  for (int q = 0; q < 3; q++) {
#pragma acc parallel loop copyout(a[q:1][0:64]) async(queues[q])
    for (int i = 0; i < 64; i++)
      a[q][i] = q + 1;
  }
  while (waits < 4 && (done = acc_wait_any(3, queues)) >= 0) {
    CHECK(queues[done] == 4 + done && a[done][63] == done + 1);
    queues[done] = acc_async_sync;
    waits++;
  }
  CHECK(waits == 3);
  CHECK(acc_wait_any(0, queues) < 0 && acc_wait_any_device(3, queues, 0) < 0);
  return 0;
}

//: 3.2.14 acc_get_default_async, acc_set_default_async
TEST(test_default_queue) {
  acc_set_default_async(3);
  int queue = acc_get_default_async();
  acc_set_default_async(acc_async_sync);
  CHECK(queue == 3);
  return 0;
}

//: 3.2.14 the queue that async without a number takes, by the number that acc_get_default_async gives it
TEST(test_number_of_default_queue) {
  acc_set_default_async(acc_async_default);
  int a[64] = {0}, queue = acc_get_default_async();
#pragma acc enter data copyin(a) async
#pragma acc parallel loop present(a) async
  for (int i = 0; i < 64; i++)
    a[i] = i;
#pragma acc parallel loop present(a) async(queue)
  for (int i = 0; i < 64; i++)
    a[i] *= 3;
#pragma acc exit data copyout(a) async
#pragma acc wait(queue)
  CHECK(queue >= 0);
  for (int i = 0; i < 64; i++)
    CHECK(a[i] == 3 * i);
  return 0;
}

//: 3.2.15 acc_on_device
TEST(test_where) {
  int on = 0;
#pragma acc serial copyout(on)
  on = acc_on_device(acc_device_host) || acc_on_device(acc_device_not_host);
  CHECK(on);
  return 0;
}

//: 3.2.16 acc_malloc, acc_free, acc_memcpy_to_device, acc_memcpy_d2d
TEST(test_copies) {
  int a[4] = {1, 2, 3, 4}, b[4] = {0};
  int *p = acc_malloc(sizeof a), *q = acc_malloc(sizeof a);
  acc_memcpy_to_device(p, a, sizeof a);
  acc_memcpy_device(q, p, sizeof a);
  acc_memcpy_from_device(b, q, sizeof a);
  acc_free(p);
  acc_free(q);
  CHECK(b[3] == 4);
  return 0;
}

//: 3.2.18 acc_copyin, acc_create, acc_copyout, acc_delete, acc_update_device, acc_update_self
TEST(test_transfers) {
  int a[4] = {1, 2, 3, 4};
  acc_copyin(a, sizeof a);
#pragma acc parallel loop present(a)
  for (int i = 0; i < 4; i++)
    a[i] *= 2;
  acc_update_self(a, sizeof a);
  int first = a[3];
  a[0] = 7;
  acc_update_device(a, sizeof a);
  acc_copyout(a, sizeof a);
  CHECK(first == 8 && a[0] == 7);
  acc_create(a, sizeof a);
  acc_delete(a, sizeof a);
  return 0;
}

//: 3.2.18 asynchronous forms
TEST(test_transfers_async) {
  int a[4] = {1, 2, 3, 4};
  acc_copyin_async(a, sizeof a, 1);
#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < 4; i++)
    a[i] *= 2;
  acc_copyout_async(a, sizeof a, 1);
  acc_wait(1);
  CHECK(a[3] == 8);
  return 0;
}

//: 3.2.26 acc_map_data, acc_unmap_data, acc_deviceptr, acc_hostptr, acc_is_present
TEST(test_map) {
  int a[4] = {1, 2, 3, 4};
  int *p = acc_malloc(sizeof a);
  acc_map_data(a, p, sizeof a);
  CHECK(acc_deviceptr(a) == p && acc_hostptr(p) == a && acc_is_present(a, sizeof a));
  acc_unmap_data(a);
  acc_free(p);
  return 0;
}

//: 3.2.36 acc_attach, acc_detach
struct chain { int n; int *at; };
TEST(test_attach_routine) {
  int data[4] = {0};
  struct chain c = {4, data};
  acc_copyin(&c, sizeof c);
  acc_copyin(data, sizeof data);
  acc_attach((void **)&c.at);
#pragma acc parallel loop present(c)
  for (int i = 0; i < 4; i++)
    c.at[i] = i;
  acc_detach((void **)&c.at);
  acc_copyout(data, sizeof data);
  acc_delete(&c, sizeof c);
  CHECK(data[3] == 3);
  return 0;
}

