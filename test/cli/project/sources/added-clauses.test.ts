/** `kernels: NAME: add`: clauses in arc.yaml that are appended to a directive's own. */
import { expect, it } from "vitest";
import { Rig } from "../../rig.ts";

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

it("are reported at their entry, not at a position after the line", async () => {
  rig.write("arc.yaml", project(', add: "num_gangs(4) reduktion(+:sum)"'));
  const { out, err } = await rig.arc(["build"]);
  expect(out + err).toContain("sum.c:4:36: error[unknown-clause]: 'reduktion'");
  expect(out + err).toContain("arc.yaml adds them to the directive by 'kernels: NAME: add'");
});

const nothing = { status: 0, out: "", err: "" };

it("are there for `arc check` and `arc translate` of the project, and leave its source as it is", async () => {
  rig.write("arc.yaml", project(', add: "reduction(+:sum)"'));
  expect(await rig.arc(["check"])).toEqual(nothing);
  const { status, err } = await rig.arc(["translate", "--to", "openmp", "-o", "out"]);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(rig.read("out/sum.c")).toContain("map(tofrom: sum) reduction(+:sum)\n");
  expect(rig.read("sum.c")).toBe(source(""));
});

it.each([
  ["beside it", "sum.c", "."],
  ["below it", "../sum.c", "below"],
])("are there for a file that is named alone, by the nearest arc.yaml: %s", async (_, name, cwd) => {
  rig.write("below/here", "");
  rig.write("arc.yaml", project(', add: "reduction(+:sum)"'));
  expect(await rig.arc(["check", name], { cwd })).toEqual(nothing);
  const ir = await rig.arc(["translate", name, "--to", "ir"], { cwd });
  expect(ir.out).toContain("reduction(+: sum");
  const omp = await rig.arc(["translate", name, "--to", "openmp"], { cwd });
  expect(omp.out).toContain("map(tofrom: sum) reduction(+:sum)\n");
  expect(await rig.arc(["cc", "-acc", name, "-o", "sum"], { cwd })).toEqual(nothing);
  expect((await rig.run("./sum", [], { cwd })).out).toBe("4950\n");
  rig.write("arc.yaml", project(""));
  expect((await rig.arc(["check", name], { cwd })).out).toContain("[missing-reduction]");
});

it("are nothing to a file that is no source of the project", async () => {
  rig.write("arc.yaml", project(', add: "reduction(+:sum)"'));
  rig.write("other.c", source(""));
  expect((await rig.arc(["check", "other.c"])).out).toContain("[missing-reduction]");
});

it("are not known where arc.yaml has errors, which are told instead", async () => {
  rig.write("arc.yaml", project(', add: "reduction(+:sum)", ad: 1'));
  const { status, err } = await rig.arc(["cc", "-acc", "-c", "sum.c"]);
  expect(status).toBe(2);
  expect(err).toContain("arc.yaml:5:67: error[unknown-key]");
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
