/** `kernels: NAME: add`: clauses that arc.yaml puts behind those of a directive. */
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

const source = (clauses: string) => `#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma acc parallel loop copy(sum)${clauses}
  for (int i = 0; i < 100; i++)
    sum += i;
  printf("%d\\n", sum);
  return 0;
}
`;
const project = (more: string) => `arc: 1
project: sum
sources: [sum.c]
kernels:
  adds: { source: sum.c, function: main${more} }
targets:
  host: { kind: host }
`;
const rig = new Rig({ "sum.c": source(""), "arc.yaml": project("") }, "shared");

it("reach the compiler, which refuses what it does not know", async () => {
  rig.write("arc.yaml", project(', add: "reduktion(+:sum)"'));
  const { status, out, err } = await rig.arc(["build"]);
  expect(status).toBe(1);
  expect(out + err).toContain(
    "sum.c:4:37: error[unknown-clause]: 'reduktion' is not a clause of 'parallel loop'",
  );
});

it("find no place in a function that is not there", async () => {
  rig.write("arc.yaml", project(', add: "gang"').replace("function: main", "function: mian"));
  const { status, out, err } = await rig.arc(["build"]);
  expect(status).toBe(1);
  expect(out + err).toContain("kernels: adds: add: sum.c defines no function mian");
});

it("make the program that has them in its source, from the same results", async () => {
  rig.write("arc.yaml", project(', add: "reduction(+:sum)"'));
  const first = await rig.arc(["run", "host"]);
  expect(first.out).toContain("4950");
  rig.write("arc.yaml", project(""));
  rig.write("sum.c", source(" reduction(+:sum)"));
  const second = await rig.arc(["build"]);
  expect(second.status).toBe(0);
  // The text is new, and all that is made of it is known.
  expect(second.out.match(/^ran .*/gm)?.filter((line) => !/preprocess/.test(line)) ?? []).toEqual([]);
});
