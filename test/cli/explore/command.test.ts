/** `arc explore` without the vendor's tools: results that need no build, and requests that need one. */
import { expect, it } from "vitest";
import { lines, Rig } from "../rig.ts";

const source = `#include <stdio.h>
int main(void) {
  static float x[4096], y[4096];
#pragma acc parallel loop copyin(x) copyout(y)
  for (int i = 0; i < 4096; i++) y[i] = 2 * x[i];
  printf("%g\\n", y[7]);
  return 0;
}
`;
const yaml = `arc: 1
project: p
sources: [p.c]
targets:
  cpu: { kind: host }
  own: { kind: host, variants: { window: [2, 4] } } # an axis of hardware
  fpga: { kind: intel-fpga, board: pac_a10, variants: { model: [swi], unroll: [1, 4, 8] } } # kept
runs: { small: {} }
`;

it("uses estimates and says so, and makes the winner the first variant", {
  timeout: 240_000,
}, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const { status, out, err } = await rig.arc(["explore", "--apply"]);
  expect(status, err).toBe(0);
  expect(err).toContain("3 variants of fpga, 3 designs, 0 built before");
  expect(err).toContain("the tools for fpga are not here: this is by estimates alone");
  expect(err).not.toMatch(/^ran .*(translate .* for fpga|estimate)/m);
  const [, fastest] = lines(out);
  const winner = /^fpga:swi_u(\d+) /.exec(fastest ?? "")?.[1] as string;
  const others = ["1", "4", "8"].filter((one) => one !== winner);
  expect(rig.read("arc.yaml")).toBe(yaml.replace("[1, 4, 8]", `[${[winner, ...others].join(", ")}]`));
  // The front of the same estimates, and one of it by a rule that is said.
  const both = await rig.arc(["explore", "--goal", "area,time", "--choose", "area", "--apply"]);
  expect(both.status, both.err).toBe(0);
  expect(both.out).toMatch(/^variant .* front$/m);
  const chosen = /^(fpga:swi_u\d+) .* chosen$/m.exec(both.out)?.[1] as string;
  expect(both.err).toContain(`arc: chosen: ${chosen}, by the least area of the front`);
  expect(rig.read("arc.yaml")).toMatch(new RegExp(`unroll: \\[${chosen.replace("fpga:swi_u", "")}, `));
  const json = await rig.arc(["explore", "--goal", "time,area", "--choose", "product", "--json"]);
  const { goal, best, chosen: one } = JSON.parse(lines(json.out).at(-1) ?? "");
  expect(goal).toBe("time,area");
  expect(best).toContain(one.id);
  expect(one.by).toBe("least product of time and area");
  for (const [args, message] of [
    [["cpu"], "cpu has one variant\n  try: give it some: `variants: { unroll: ["],
    [["own"], "own has one variant"],
    [["--goal", "energy"], "the energy of fpga is not known"],
    [["fpga", "small"], "fpga is hardware: runs of it are not measured"],
    [["fpga:swi_u4"], "fpga:swi_u4 is one variant"],
    [["--goal", "speed"], "there are time, area, energy, several of them as `time,energy`, and pareto"],
    [["--goal", "time,"], "there is no goal ``"],
    [["--goal", "area,time,area"], "--goal area,time,area names area twice"],
    [["--goal", "pareto", "--apply"], "a front is of many variants"],
    [["--goal", "time,area", "--apply"], "say by what, as `--choose product`"],
    [["--choose", "product"], "--goal time has one winner"],
    [["--goal", "pareto", "--choose", "energy"], "--goal time,area does not compare energy"],
    [["--goal", "time,area", "--choose", "best"], "there are time, area, product"],
    [["--goal", "time,energy"], "the energy of fpga is not known"],
    [["--budget", "some"], "--budget some is no budget"],
    [["--budget", "1.5"], "--budget 1.5 is no budget"],
  ] as const) {
    const wrong = await rig.arc(["explore", ...args]);
    expect(wrong.status).toBe(2);
    expect(wrong.err).toContain(message);
  }
});
