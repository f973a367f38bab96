/** Programs whose data directives attach pointers, with hardware that follows these, on each kind of memory port. */
import { expect, it } from "vitest";
import { Rig } from "../../../cli/rig.ts";

const project = {
  "arc.yaml": `
arc: 1
project: rows
sources: [rows.c]
targets:
  separate: { kind: rtl }
  axi: { kind: rtl, ports: axi4, control: axi4-lite, port-width: 64 }
runs: { small: {} }
`,
  "rows.c": `#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long value; };
struct part { float *data; int n; struct node *first; };
int main(void) {
  struct node nodes[6];
  for (int k = 0; k < 6; k++) nodes[k] = (struct node){k < 5 ? &nodes[k + 1] : 0, k * k};
  struct part parts[3];
  for (int i = 0; i < 3; i++) {
    parts[i].n = 8 + i;
    parts[i].data = malloc(parts[i].n * sizeof(float));
    parts[i].first = &nodes[2 * i];
    for (int j = 0; j < parts[i].n; j++) parts[i].data[j] = i * 10 + j * 0.5f;
  }
  float sums[3];
#pragma acc enter data copyin(nodes, parts)
  for (int k = 0; k < 5; k++) {
#pragma acc enter data attach(nodes[k].next)
  }
  for (int i = 0; i < 3; i++) {
#pragma acc enter data copyin(parts[i].data[0:parts[i].n]) attach(parts[i].first)
  }
#pragma acc serial present(parts) copyout(sums)
  for (int i = 0; i < 3; i++) {
    float s = 0;
    for (int j = 0; j < parts[i].n; j++) { s += parts[i].data[j]; parts[i].data[j] *= 2; }
    for (struct node *p = parts[i].first; p; p = p->next) { s += p->value; p->value++; }
    sums[i] = s;
  }
  for (int i = 0; i < 3; i++) {
#pragma acc exit data copyout(parts[i].data[0:parts[i].n]) detach(parts[i].first)
  }
  for (int k = 0; k < 5; k++) {
#pragma acc exit data detach(nodes[k].next)
  }
#pragma acc exit data copyout(nodes) delete(parts)
  for (int i = 0; i < 3; i++) {
    printf("%g:", sums[i]);
    for (int j = 0; j < parts[i].n; j++) printf(" %g", parts[i].data[j]);
    printf("\\n");
  }
  for (struct node *p = nodes; p; p = p->next) printf("%ld ", p->value);
  printf("\\n");
}
`,
};

it.each(["separate", "axi"])(
  "rows, lists and structs with pointers are reached: %s",
  async (target) => {
    const rig = new Rig(project, "shared");
    const { status, out, err } = await rig.arc(["verify", target], { env: { ARC_RTL_STALLS: "3" } });
    expect(status, out + err).toBe(0);
  },
  240_000,
);
