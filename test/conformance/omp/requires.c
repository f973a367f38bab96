//: 13.8 device(ancestor: 1)
//: refused unsupported-clause
#pragma omp requires reverse_offload
TEST(ancestor) {
  int r = 0;
#pragma omp target map(tofrom: r)
  {
#pragma omp target device(ancestor: 1) map(tofrom: r)
    r = 3;
  }
  CHECK(r == 3);
  return 0;
}

//: 8.2 requires unified_shared_memory
//: only where the device shares the program's memory (test/programs/shared-memory.test.ts); other devices stop the run
#pragma omp requires unified_shared_memory
TEST(requires_usm) {
  int r = 0;
#pragma omp target map(from: r)
  r = 3;
  CHECK(r == 3);
  return 0;
}

//: 8.2 requires unified_address
#pragma omp requires unified_address
TEST(requires_address) {
  int r = 0;
#pragma omp target map(from: r)
  r = 3;
  CHECK(r == 3);
  return 0;
}

//: 8.2 requires dynamic_allocators
#pragma omp requires dynamic_allocators
TEST(requires_allocators) {
  int r = 0;
#pragma omp target map(from: r)
  r = 3;
  CHECK(r == 3);
  return 0;
}

//: 8.2 requires atomic_default_mem_order
#pragma omp requires atomic_default_mem_order(seq_cst)
TEST(requires_order) {
  int r = 0;
#pragma omp target teams distribute parallel for map(tofrom: r)
  for (int i = 0; i < 9; i++) {
#pragma omp atomic
    r++;
  }
  CHECK(r == 9);
  return 0;
}

//: 8.3 assumes
#pragma omp assumes no_openmp_routines
TEST(assumes) {
  int r = 0;
#pragma omp target map(from: r)
  r = 3;
  CHECK(r == 3);
  return 0;
}

