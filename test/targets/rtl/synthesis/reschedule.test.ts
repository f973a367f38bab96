/** A clock that place and route misses: a second schedule, through the real build. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Obligation } from "../../../../targets/shared/kind/proof.ts";
import { Rig } from "../../../cli/rig.ts";

const chain = `#include <stdio.h>
int main(void) {
  static short a[64];
  for (int i = 0; i < 64; i++) a[i] = i * 777 - 9000;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 64; i++) a[i] = (a[i] ^ 5) + 1234 > 99 ? a[i] - 5 : a[i] + 19;
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 31 + a[i];
  printf("%u\\n", sum);
}
`;

const project = (target: string) => ({
  "arc.yaml": `arc: 1
project: chain
sources: [chain.c]
targets: { ice: { kind: rtl, part: ice40-hx8k, ${target} } }
runs: { run: { args: [] } }
verify: { run: run }
`,
  "chain.c": chain,
});

interface Row {
  readonly clock: number;
  readonly cycles: { readonly value: number; readonly from: string };
  readonly rescheduled?: { readonly clock: number; readonly reached: number; readonly margin: number };
}

it("a design that misses its clock is scheduled again, is faster then, and is what programs run with", async () => {
  const rig = new Rig(project("clock: 116, variants: { clock: [0, 120] }"), "shared");
  const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
  expect(status, out + err).toBe(0);
  const missed = /clock 116 MHz missed at \d+\.\d; scheduled again with 1\.\d\dx delays/;
  expect(out + err).toMatch(missed);
  const rowOf = async (): Promise<Row> => {
    const [{ hardware }] = JSON.parse((await rig.arc(["report", "--json"])).out).variants;
    return hardware[0];
  };
  const placed = await rowOf();
  expect(placed.rescheduled?.reached).toBeLessThan(116);
  expect(placed.clock).toBeGreaterThan(placed.rescheduled?.reached ?? Number.NaN);
  const verified = await rig.arc(["verify"]);
  expect(verified.status, verified.out + verified.err).toBe(0);
  const ran = await rowOf();
  // What was predicted is of the second schedule, and so is what was simulated.
  expect(placed.cycles.from).toBe("predicted");
  expect(ran.cycles).toMatchObject({ from: "run", value: placed.cycles.value });
  expect((await rig.arc(["report"])).out).toMatch(new RegExp(`${missed.source}: \\d+\\.\\d MHz`));
  const explained = await rig.arc(["explain", "ice:default/*#settle"]);
  expect(explained.out).toMatch(missed);
  // Its energy is a model's, and what a search for the least energy knows without another build.
  const [{ totals }] = JSON.parse((await rig.arc(["report", "--json"])).out).variants;
  expect(totals.energyFrom).toBe("model");
  expect(totals.energy).toBeGreaterThan(1e-9);
  expect(totals.energy).toBeLessThan(1e-6);
  const searched = await rig.arc(["explore", "ice", "--goal", "energy", "--budget", "0"]);
  expect(searched.status, searched.err).toBe(0);
  expect(searched.err).toContain("joules are those of a model");
  expect(searched.err).toContain("best: ice:default");
  expect(searched.out).toMatch(/^ice:default .* [\d.]+ nJ .* model of the part$/m);
}, 300_000);

/** Stand-ins that log their calls; place and route reaches `reached` MHz with a design's first text, 200 with others. */
function withStandIns(rig: Rig, reached: number): Rig {
  const log = (tool: string) => `echo ${tool} >> '${path.join(rig.root, "calls")}'`;
  const output = (flag: string) => `eval "$(echo "$*" | sed -n 's/.*${flag} \\([^ ;]*\\).*/OUT=\\1/p')"`;
  rig.tool(
    "yosys",
    `[ "$1" = -V ] && echo 'Yosys 9' && exit
${log("yosys")}
DIGEST=$(sha256sum < kernel.v)
echo '{"modules":{"'"$DIGEST"'":{}}}' > netlist.json
cp kernel.v gates.v`,
  );
  const timing = (mhz: string) => `{"fmax":{"clk":{"achieved":${mhz}}},"utilization":{},"critical_paths":[]}`;
  const first = path.join(rig.root, "first");
  rig.tool(
    "nextpnr-ice40",
    `[ "$1" = --version ] && echo 'nextpnr 9' && exit
${log("nextpnr")}
if [ ${reached} = 0 ]; then echo 'Info: ICESTORM_LC: 9000/ 7680 117%'; echo 'ERROR: no'; exit 1; fi
${output("--asc")}
[ -e '${first}' ] || cp netlist.json '${first}'
cp netlist.json "$OUT"
if cmp -s netlist.json '${first}'; then echo '${timing(String(reached))}'; else echo '${timing("200")}'; fi > timing.json`,
  );
  rig.tool("icepack", `${log("icepack")}\ncp "$1" "$2"`);
  return rig;
}

const callsOf = (rig: Rig): readonly string[] => rig.readOutside("calls").trim().split("\n");

function bitstreamOf(rig: Rig): string {
  const folder = "out/ice/default/configuration";
  const [name = ""] = readdirSync(path.join(rig.folder, folder)).filter((file) => file.endsWith(".bin"));
  return rig.read(path.join(folder, name));
}

describe("each tool runs", () => {
  const built = async (reached: number, target = "clock: 80") => {
    const rig = withStandIns(new Rig(project(target)), reached);
    const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
    expect(status, out + err).toBe(0);
    return rig;
  };

  it("once where the clock is met", async () => {
    expect(callsOf(await built(80))).toEqual(["yosys", "nextpnr", "icepack"]);
  });

  it("twice where it is missed, with the same bytes in every clone, and not again", async () => {
    const [one, other] = [await built(70), await built(70)];
    expect(callsOf(one)).toEqual(["yosys", "nextpnr", "yosys", "nextpnr", "icepack"]);
    expect(bitstreamOf(one)).toBe(bitstreamOf(other));
    expect(bitstreamOf(one)).not.toBe(one.readOutside("first"));
    await one.arc(["build", "ice#configuration"]);
    expect(callsOf(one)).toHaveLength(5);
    // Which lines it is of is no matter to a second schedule either.
    one.write("chain.c", `\n/* Sums. */\n${chain.replaceAll("sum", "total")}`);
    const edited = await one.arc(["build", "ice#configuration"]);
    expect(edited.status, edited.err).toBe(0);
    expect(callsOf(one)).toHaveLength(5);
  });

  it("once where the target has reschedule: false, whatever clock is reached", async () => {
    const rig = await built(70, "clock: 80, reschedule: false");
    expect(callsOf(rig)).toEqual(["yosys", "nextpnr", "icepack"]);
    expect(bitstreamOf(rig)).toBe(rig.readOutside("first"));
  });

  it("once for a board whose PLL cannot make the requested clock from the oscillator, if no more is reached", async () => {
    const board = "clock: 50, oscillator: 12, wrapper: uart";
    expect(callsOf(await built(49.6, board))).toEqual(["yosys", "nextpnr", "icepack"]);
    expect(callsOf(await built(49.4, board))).toHaveLength(5);
  });
});

it("every line of a build names its kernel and target, and whether it belongs to a trial", async () => {
  const targets = "clock: 80 }, small: { kind: rtl, part: ice40-up5k, clock: 10";
  const rig = withStandIns(new Rig(project(targets)), 90);
  const { status, out, err } = await rig.arc(["build", "*#configuration"]);
  expect(status, out + err).toBe(0);
  const titles = [
    ...err.matchAll(/^(?:ran {3}|cached|shared) .{7} {2}(.*?)(?: \(same result as before\))?$/gm),
  ];
  const said = titles.map(([, title]) => title);
  expect(said.filter((title, at) => said.indexOf(title) !== at)).toEqual([]);
  const lines = said.join("\n");
  for (const target of ["ice", "small"])
    expect(lines).toMatch(
      new RegExp(`^place and route a trial of main_\\w+ for ${target}:default \\(chain\\.c:5\\) with`, "m"),
    );
});

/** An output of an action, from the store. */
async function outputOf(rig: Rig, address: string, name: string): Promise<string> {
  const { out } = await rig.arc(["explain", address]);
  const [, digest = ""] = new RegExp(`output: ${name} ([0-9a-f]+)`).exec(out) ?? [];
  const blobs = path.join(rig.store, "cas", digest.slice(0, 2));
  const [blob = ""] = readdirSync(blobs).filter((file) => file.startsWith(digest));
  return readFileSync(path.join(blobs, blob), "utf8");
}

it.each([80, 55])(
  "obligations are those of the final schedule where %d MHz are reached",
  async (reached) => {
    const rig = withStandIns(new Rig(project("clock: 80")), reached);
    const { status, out, err } = await rig.arc([
      "build",
      "ice:default/chain.c#promises",
      "ice:default/*#settle",
    ]);
    expect(status, out + err).toBe(0);
    expect(err.includes("scheduled again")).toBe(reached < 80);
    const built = await outputOf(rig, "ice:default/*#settle", "kernel.v");
    const promises = JSON.parse(
      await outputOf(rig, "ice:default/chain.c#promises", "promises.json"),
    ) as Obligation[];
    const pipelines = promises.filter(({ part }) => part.includes(": loop"));
    expect(pipelines).not.toEqual([]);
    for (const { part, text } of pipelines) {
      // Claims follow the module's own text.
      const own = text.slice(0, text.search(/^reg spec_begun/m));
      expect(built.includes(own), part).toBe(true);
    }
  },
  120_000,
);

it("the report has a trial's clock if its schedule is final, and otherwise only says that the design was rescheduled", async () => {
  const rowOf = async (reached: number) => {
    const rig = withStandIns(new Rig(project("clock: 80")), reached);
    expect((await rig.arc(["build", "ice:default/*#settle"])).status).toBe(0);
    const [{ hardware }] = JSON.parse((await rig.arc(["report", "--json"])).out).variants;
    expect(callsOf(rig)).toEqual(["yosys", "nextpnr"]);
    return hardware[0];
  };
  expect(await rowOf(90)).toMatchObject({ from: "layout", clock: 90 });
  const missed = await rowOf(70);
  expect(missed).toMatchObject({ from: "schedule", rescheduled: { reached: 70 } });
  expect(missed.clock).toBeUndefined();
}, 120_000);

it("a design that does not fit is reported, keeps its schedule and can be simulated", async () => {
  const rig = withStandIns(new Rig(project("clock: 80")), 0);
  const settled = await rig.arc(["build", "ice:default/*#settle"]);
  expect(settled.status, settled.out + settled.err).toBe(0);
  const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
  expect(status).toBe(1);
  expect(out + err).toMatch(/chain\.c:5:1: error\[does-not-fit\]: .*needs 9000 LC of 7680/);
  expect(callsOf(rig)).toEqual(["yosys", "nextpnr"]);
});
