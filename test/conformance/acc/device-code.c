//: 2.15.1 printf in a region
TEST(device_printf) {
  int a[4];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 4; i++) {
    if (a[i] == i && i < 0)
      printf("%s %d\n", "never", i);
    a[i] = i;
  }
  CHECK(a[3] == 3);
  return 0;
}

//: 2.15.1 a function that _Generic chooses
static float twice_float(float x) { return 2 * x; }
static double twice_double(double x) { return 2 * x; }
#define twice(x) _Generic((x), float: twice_float, default: twice_double)(x)
TEST(device_generic) {
  double a[4];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 4; i++)
    a[i] = twice(i + 0.25) + twice((float)i);
  CHECK(a[3] == 12.5);
  return 0;
}

//: 2.8 host_data of a scalar and of a structure
TEST(host_data_objects) {
  struct {
    int n, list[3];
  } s = {1, {2, 3, 4}};
  int x = 5, *p = NULL, *q = NULL;
#pragma acc data copy(s, x)
  {
#pragma acc host_data use_device(s, x)
    {
      p = &s.n;
      q = &x;
    }
#pragma acc serial deviceptr(p, q)
    {
      *p = 10;
      *q = 11;
    }
  }
  CHECK(s.n == 10 && s.list[2] == 4 && x == 11);
  return 0;
}

//: 2.9.10 private of the variable of a loop inside
TEST(private_inner_counter) {
  int i, j, n = 10;
  double a[10][10];
#pragma acc parallel loop private(j) copyout(a)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      a[i][j] = i * n + j;
  for (i = 0; i < n * n; i++)
    CHECK(a[i / n][i % n] == i);
  return 0;
}

//: 2.5.10 private of memory behind a pointer
TEST(private_behind_pointer) {
  int *own = malloc(10 * sizeof *own), a[20], b[20];
  own[2] = -1;
#pragma acc parallel loop gang vector private(own[2:8]) copyout(a)
  for (int i = 0; i < 20; i++) {
    for (int k = 2; k < 10; k++)
      own[k] = i + k;
    a[i] = own[2] + own[9];
  }
#pragma acc parallel num_gangs(3) private(own[0:4]) copyout(b)
  {
    for (int k = 0; k < 4; k++)
      own[k] = k;
#pragma acc loop gang
    for (int i = 0; i < 20; i++)
      b[i] = own[i % 4];
  }
  CHECK(a[19] == 49 && b[18] == 2 && own[2] == -1);
  free(own);
  return 0;
}

//: 2.13 declare create of a pointer, which routines follow
static int *declared_list;
static int declared_count;
#pragma acc declare create(declared_list, declared_count)
#pragma acc routine seq
static int declared_at(int i) { return declared_list[i] + declared_count; }
TEST(declare_pointer) {
  int r[6];
  declared_count = 6;
  declared_list = malloc(6 * sizeof *declared_list);
  for (int i = 0; i < 6; i++)
    declared_list[i] = i;
#pragma acc update device(declared_count)
#pragma acc enter data copyin(declared_list[0:6])
#pragma acc parallel loop present(declared_list) copyout(r)
  for (int i = 0; i < 6; i++)
    r[i] = declared_at(i) + declared_list[i];
#pragma acc exit data delete(declared_list[0:6])
  free(declared_list);
  CHECK(r[5] == 16);
  return 0;
}

//: 2.13 declare of what a header declares extern and its file defines, twice
extern int declared_again[5];
#pragma acc declare create(declared_again)
int declared_again[5];
#pragma acc declare create(declared_again)
TEST(declare_twice) {
  for (int i = 0; i < 5; i++)
    declared_again[i] = i;
#pragma acc update device(declared_again)
#pragma acc parallel loop present(declared_again)
  for (int i = 0; i < 5; i++)
    declared_again[i] *= 2;
#pragma acc update self(declared_again)
  CHECK(declared_again[4] == 8);
  return 0;
}

//: 2.13 declare of an array of another file, without its size
extern int declared_elsewhere[];
#pragma acc declare create(declared_elsewhere)
void fill_elsewhere(void);
int sum_elsewhere(void);
TEST(declare_extern) {
  fill_elsewhere();
#pragma acc parallel loop present(declared_elsewhere)
  for (int i = 0; i < 5; i++)
    declared_elsewhere[i] *= 2;
  CHECK(sum_elsewhere() == 20);
  return 0;
}

//: 3.2.38 acc_get_current_cuda_device, acc_get_cuda_stream, acc_set_cuda_stream, acc_get_opencl_queue
TEST(native_objects) {
  const acc_device_t type = acc_get_device_type();
  void *stream = acc_get_cuda_stream(1), *queue = acc_get_opencl_queue(1);
  CHECK((stream != NULL) == (type == acc_device_nvidia));
  CHECK((acc_get_current_cuda_context() != NULL) == (type == acc_device_nvidia));
  CHECK(acc_set_cuda_stream(1, stream) == (type == acc_device_nvidia));
  CHECK((queue != NULL) == (acc_get_current_opencl_context() != NULL));
  CHECK((queue != NULL) == (acc_get_current_opencl_device() != NULL));
  if (type == acc_device_host)
    CHECK(!queue && !acc_get_current_cuda_device());
  int a[4];
#pragma acc parallel loop copyout(a) async(1)
  for (int i = 0; i < 4; i++)
    a[i] = i;
#pragma acc wait(1)
  CHECK(a[3] == 3);
  return 0;
}

//: 2.15.1 malloc and free in a region
//: only on the host and on CUDA and HIP (test/programs/device-calls.test.ts); OpenCL and hardware refuse it
TEST(device_malloc) {
  int a[8];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 8; i++) {
    int *own = (int *)malloc(4 * sizeof *own);
    for (int k = 0; k < 4; k++)
      own[k] = i + k;
    a[i] = own[0] + own[3];
    free(own);
  }
  CHECK(a[7] == 17);
  return 0;
}

//: 2.15.1 assert in a region
//: only on the host and on CUDA and HIP (test/programs/device-calls.test.ts); OpenCL and hardware refuse it
TEST(device_assert) {
  int a[8], n = 8;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < n; i++)
    a[i] = n - i;
  CHECK(a[7] == 1);
  return 0;
}
