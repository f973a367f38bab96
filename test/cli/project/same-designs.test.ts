/** Work done once although several targets or variants request it. */
import { expect, it } from "vitest";
import { lines, Rig } from "../rig.ts";

const source = `int main(void) {
  float a[100];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++) a[i] = 2 * i;
  return a[3] != 6;
}
`;
const project = (rest: string): Rig =>
  new Rig({ "arc.yaml": `arc: 1\nproject: p\nsources: [p.c]\n${rest}`, "p.c": source });

interface BuildEvent {
  readonly type: string;
  readonly how?: string;
  readonly address?: string;
  readonly key?: string;
  readonly variants?: readonly unknown[];
}

it.each(["1", "4"])("four equal targets compile each kernel once with -j %s", async (jobs) => {
  const rig = project("targets: { a: &t { kind: opencl }, b: *t, c: *t, d: *t }\n");
  const { status, out, err } = await rig.arc(["build", "--json", "-j", jobs]);
  expect([status, err]).toEqual([0, ""]);
  const done = lines(out).map((line) => JSON.parse(line) as BuildEvent);
  const ran = done.flatMap(({ type, how, key }) => (type === "done" && how === "ran" ? [key] : []));
  expect(ran).toEqual([...new Set(ran)]);
  expect(done.filter(({ address }) => address?.endsWith("#image")).length).toBeGreaterThan(3);
});

it("variants whose passes do the same are named as one design, by build and report", async () => {
  const rig = project(
    "targets: { a10: { kind: intel-fpga, board: pac_a10 } }\nvariants: { model: [nd, swi], fuse: [false, true] }\n",
  );
  const built = await rig.arc(["build", "--all", "--plain", "a10:*#kernels"]);
  expect(built.status).toBe(0);
  expect(built.err).toContain("a10:nd_fuse: same design as nd\n");
  expect(built.err).not.toContain("a10:swi: same");
  const again = await rig.arc(["build", "--all", "--plain", "a10:*#kernels"]);
  expect(again.err).not.toContain("same design");
  const { out } = await rig.arc(["report", "--all"]);
  expect(out).toContain("a10:nd_fuse: same design as nd\n");
  const { variants: rows } = JSON.parse((await rig.arc(["report", "--all", "--json"])).out) as {
    variants: { address: string; sameDesign?: string }[];
  };
  expect(rows.map(({ address, sameDesign }) => [address, sameDesign])).toContainEqual(["a10:nd_fuse", "nd"]);
  rig.write("p.c", source.replace("2 * i", "3 * i"));
  const json = await rig.arc(["build", "--all", "--json", "a10:*#kernels"]);
  const events = lines(json.out).map((line) => JSON.parse(line) as BuildEvent);
  expect(events.find(({ type }) => type === "same-designs")?.variants).toContainEqual({
    address: "a10:nd_fuse",
    as: "nd",
  });
});
