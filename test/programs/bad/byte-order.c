// Structs whose members have the other byte order than the processor, by gcc's pragma and by its attribute: the first
// use in a region counts.
// expect: 14:16 error[byte-order]
// expect: 20:57 error[byte-order]
// remedy: copy the members
#pragma scalar_storage_order big-endian
struct packet { int length; short kind; };
#pragma scalar_storage_order default
struct own { int length; };
struct header { int length; } __attribute__((scalar_storage_order("big-endian")));
void f(struct packet *p, struct header *h, struct own *o, int *a) {
#pragma acc parallel loop copyin(p[0 : 8], o[0 : 8]) copyout(a[0 : 8])
  for (int i = 0; i < 8; i++)
    a[i] = 1 + p[i].length + o[i].length;
#pragma acc parallel loop copyin(o[0 : 8]) copyout(a[0 : 8])
  for (int i = 0; i < 8; i++)
    a[i] = o[i].length;
  int s = 0;
#pragma acc parallel loop copyin(h[0 : 8]) reduction(+ : s)
  for (int i = 0; i < 8; i++) { const void *v = h; s += ((const struct header *)v)[i].length; }
  a[0] = s + h->length;
}
