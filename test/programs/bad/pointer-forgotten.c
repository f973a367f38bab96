// A region moves a pointer that lives on the device: the next region does not find it there.
// expect: 11:5 warning[pointer-forgotten]
// remedy: set 'at' in each region
int *at;
int numbers[9];
#pragma acc declare create(at, numbers)
static int next(void) { return *at++; }
void f(int *a) {
#pragma acc serial copyout(a[0:2])
  {
    at = numbers;
    a[0] = next();
    a[1] = next();
  }
}
