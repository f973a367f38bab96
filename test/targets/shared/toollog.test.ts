/** What is read from the logs of real tools: Debian's, and the WebAssembly ones of npm (cut to the lines that count). */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { endOf, phaseListener, usefulOutput } from "../../../rules/tools/tool-run.ts";

const logs = {
  "nextpnr 0.4": "nextpnr-0.4.log",
  "nextpnr 0.8 of npm": "nextpnr-0.8.log",
  "yosys 0.23": "yosys-0.23.log",
  "yosys 0.55 of npm": "yosys-0.55.log",
  "verilator 5.006": "verilator-5.log",
} as const;
type Log = keyof typeof logs;
const textOf = (name: Log) => readFileSync(path.join(import.meta.dirname, "logs", logs[name]), "utf8");
const programs = { n: "nextpnr-ice40", y: "yosys", v: "verilator" } as const;
const programOf = (name: Log) => programs[name[0] as keyof typeof programs];

/** The phases that a user sees if the log comes in pieces of so many characters. */
function phasesOf(name: Log, size = 1): readonly string[] {
  const seen: string[] = [];
  const listen = phaseListener({ progress: (phase) => void seen.push(phase) }, programOf(name));
  const text = textOf(name);
  for (let at = 0; at < text.length; at += size) listen(text.slice(at, at + size));
  return seen.filter((phase, k) => phase !== seen[k - 1]);
}

describe.each(["nextpnr 0.4", "nextpnr 0.8 of npm"] as const)("%s", (name) => {
  const phases = phasesOf(name);
  it("packs, places, refines and routes, in this order", () => {
    const words = phases.map((phase) => phase.split(/[: ]/)[0]);
    expect(words.filter((word, k) => word !== words[k - 1])).toEqual([
      "packing",
      "placing",
      "refining",
      "routing",
      "writing",
    ]);
  });
  it("reports the iterations of both placers with the wire length", () => {
    expect(phases).toContainEqual(
      expect.stringMatching(/^placing 14\d\d cells: iteration 10, wire length \d+$/),
    );
    expect(phases).toContainEqual(
      expect.stringMatching(/^refining the placement: iteration 5, wire length 6\d\d\d$/),
    );
  });
  it("counts the arcs left to route, down to zero", () => {
    const left = phases.flatMap((phase) => {
      const [, now, of] = /^routing: (\d+) of (\d+) arcs left$/.exec(phase) ?? [];
      return now === undefined ? [] : [[Number(now), Number(of)] as const];
    });
    expect(left.length).toBeGreaterThan(5);
    expect(left.every(([now, of]) => now < of)).toBe(true);
    expect(left.map(([now]) => now)).toEqual(left.map(([now]) => now).sort((a, b) => b - a));
    expect(left.at(-1)?.[0]).toBe(0);
  });
});

describe.each(["yosys 0.23", "yosys 0.55 of npm"] as const)("%s", (name) => {
  const phases = phasesOf(name);
  it("reports the passes of synthesis by number and name, without nested ones", () => {
    expect(phases[0]).toBe("pass 1 Verilog-2005 frontend");
    expect(phases).toContain("pass 2.10 OPT");
    expect(phases).toContain("pass 2.24 MEMORY_LIBMAP");
    expect(phases.at(-1)).toBe("pass 3 JSON backend");
    expect(phases.filter((phase) => /^pass 2\.10\./.test(phase))).toEqual([]);
  });
});

it("Verilator's make counts the files of the model, and links them", () => {
  expect(phasesOf("verilator 5.006")).toEqual([
    "compiling the model",
    "compiling the model: arc_simulator (file 1)",
    "compiling the model: verilated (file 2)",
    "compiling the model: verilated_threads (file 3)",
    "compiling the model: Varc_design__ALL (file 4)",
    "linking the model",
  ]);
});

it("of several phases at once the last is reported", () => {
  expect(phasesOf("nextpnr 0.4", 1e6)).toEqual(["writing the layout"]);
});

describe("after a success", () => {
  it.each(Object.keys(logs) as Log[])("%s has nothing to say", (name) => {
    expect(usefulOutput(programOf(name), 0, textOf(name))).toBe("");
  });
  it("warnings are kept", () => {
    const lines = [
      "Info: Packing IOs..",
      "Warning: use of 'x' is odd",
      "kernel.v:12: Warning: Identifier `\\y' is implicitly declared.",
      "%Warning-WIDTH: kernel.v:3:7: Operator ADD expects 8 bits",
    ];
    const shown = (program: string) => usefulOutput(program, 0, lines.map((line) => `${line}\n`).join(""));
    expect(shown("nextpnr-ice40")).toBe(`${lines[1]}\n`);
    expect(shown("yosys")).toBe(`${lines[1]}\n${lines[2]}\n`);
    expect(shown("verilator")).toBe(`${lines[3]}\n`);
  });
});

describe("after a failure", () => {
  it("warnings, errors and the last lines are shown", () => {
    const log = `${Array.from({ length: 100 }, (_, k) => `Info: ${k}`).join("\n")}\nERROR: no\n`;
    const shown = usefulOutput("nextpnr-ice40", 255, `Warning: odd\n${log}`).split("\n");
    expect(shown[0]).toBe("Warning: odd");
    expect(shown).toContain("ERROR: no");
    expect(shown.length).toBeLessThan(20);
  });
  it("what nextpnr refuses is explained: a design that is too large, a pin that is not there", () => {
    const log = [
      "Info: Device utilisation:",
      "Info: \t         ICESTORM_LC:  9216/ 7680   120%",
      "Info: \t        ICESTORM_RAM:    33/     32   103%",
      "Info: \t      ICESTORM_SPRAM:     6/      4   150%",
      "Info: \t               SB_IO:     4/    256     1%",
      "ERROR: Unable to place cell 'x', no Bels remaining of type 'ICESTORM_RAM'",
    ];
    expect(endOf("nextpnr-ice40", 255, log.join("\n")).failure?.message).toBe(
      "the design does not fit the part: it needs 9216 LC of 7680, 33 RAM of 32, 6 SPRAM of 4",
    );
    expect(
      endOf("nextpnr-ice40", 255, "ERROR: package does not have a pin named 'ZZ9' (on line 1)\n").failure,
    ).toMatchObject({ code: "no-such-pin", message: "the part's package has no pin ZZ9" });
    expect(endOf("nextpnr-ice40", 1, "ERROR: something else").failure).toBeUndefined();
  });
});
