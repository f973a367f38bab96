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
    "sum.c:4:36: error[unknown-clause]: 'reduktion' is not a clause of 'parallel loop'",
  );
});

it("are told of by their entry, not at a place behind the line", async () => {
  rig.write("arc.yaml", project(', add: "num_gangs(4) reduktion(+:sum)"'));
  const { out, err } = await rig.arc(["build"]);
  expect(out + err).toContain("sum.c:4:36: error[unknown-clause]: 'reduktion'");
  expect(out + err).toContain("arc.yaml adds them to the directive by 'kernels: NAME: add'");
});

it("are there for `arc check` and `arc translate` of the project, and for none of a file alone", async () => {
  rig.write("arc.yaml", project(', add: "reduction(+:sum)"'));
  expect(await rig.arc(["check"])).toEqual({ status: 0, out: "", err: "" });
  expect((await rig.arc(["check", "sum.c"])).out).toContain("[missing-reduction]");
  const { status, err } = await rig.arc(["translate", "--to", "openmp", "-o", "out"]);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(rig.read("out/sum.c")).toContain("map(tofrom: sum) reduction(+:sum)\n");
  expect(rig.read("sum.c")).toBe(source(""));
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
