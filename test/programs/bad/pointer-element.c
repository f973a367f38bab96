// An element of an array of pointers: the pointer is deleted, and the row that it leads to stays on the device.
// expect: 8:30 warning[pointer-element]
// remedy: say delete(g->row[0][0:n])
struct grid { int n; double *row[2]; };
void f(struct grid *g, int n) {
#pragma acc enter data copyin(g[0:1])
#pragma acc enter data copyin(g->row[0][0:n])
#pragma acc exit data delete(g->row[0])
#pragma acc exit data detach(g->row[0])
}
