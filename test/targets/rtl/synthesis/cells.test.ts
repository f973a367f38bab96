/** The cells that netlists are simulated with against those of the installed Yosys, by random inputs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const ours = (family: string) =>
  path.resolve(import.meta.dirname, `../../../../targets/runtime/simulator/${family}_cells.v`);

/** Yosys keeps its models beside its programs. */
function theirs(family: string): string {
  const program = execFileSync("which", ["yosys"], { encoding: "utf8" }).trim();
  return path.resolve(path.dirname(realpathSync(program)), `../share/yosys/${family}`);
}

interface Cell {
  readonly name: string;
  readonly parameters?: string;
  /** Connections of inputs: bits of one random word. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly output: string;
  readonly bits?: number;
}

const flipFlop = (name: string, more: Readonly<Record<string, string>> = {}): Cell => ({
  name,
  inputs: { C: "clk", D: "r[0]", ...more },
  output: "Q",
});
const ram = (write: number, read: number): Cell => ({
  name: "SB_RAM40_4K",
  parameters: `#(.WRITE_MODE(${write}), .READ_MODE(${read}), .INIT_0({8{32'hdeadbeef}}), .INIT_F({8{32'h12345678}}))`,
  inputs: {
    RCLK: "clk",
    RCLKE: "r[0]",
    RE: "r[1]",
    // Few words, so that most that is read was written.
    RADDR: "{r[4:2], 6'd0, r[6:5]}",
    WCLK: "clk",
    WCLKE: "r[7]",
    WE: "r[8]",
    WADDR: "{r[11:9], 6'd0, r[13:12]}",
    MASK: "r[29:14]",
    WDATA: "r[45:30]",
  },
  output: "RDATA",
  bits: 16,
});

const ice40: readonly Cell[] = [
  ...[0x8000, 0x1ee7, 0x6996].map(
    (init): Cell => ({
      name: "SB_LUT4",
      parameters: `#(.LUT_INIT(16'd${init}))`,
      inputs: { I0: "r[0]", I1: "r[1]", I2: "r[2]", I3: "r[3]" },
      output: "O",
    }),
  ),
  { name: "SB_CARRY", inputs: { I0: "r[0]", I1: "r[1]", CI: "r[2]" }, output: "CO" },
  flipFlop("SB_DFF"),
  flipFlop("SB_DFFE", { E: "r[1]" }),
  flipFlop("SB_DFFSR", { R: "r[1]" }),
  flipFlop("SB_DFFSS", { S: "r[1]" }),
  flipFlop("SB_DFFESR", { E: "r[1]", R: "r[2]" }),
  flipFlop("SB_DFFESS", { E: "r[1]", S: "r[2]" }),
  {
    name: "SB_SPRAM256KA",
    inputs: {
      ADDRESS: "{r[1:0], 10'd0, r[3:2]}",
      DATAIN: "r[19:4]",
      MASKWREN: "r[23:20]",
      WREN: "r[24]",
      CHIPSELECT: "r[25] | r[26]",
      CLOCK: "clk",
      STANDBY: "1'b0",
      SLEEP: "1'b0",
      POWEROFF: "1'b1",
    },
    output: "DATAOUT",
    bits: 16,
  },
  ...[0, 1, 2, 3].flatMap((write) => [0, 1, 2, 3].map((read) => ram(write, read))),
];

const lut4 = { I0: "r[0]", I1: "r[1]", I2: "r[2]", I3: "r[3]" };
const clocked = (name: string, more: Readonly<Record<string, string>> = {}): Cell => ({
  name,
  inputs: { CLK: "clk", D: "r[0]", ...more },
  output: "Q",
});

/** Its block RAM has no model of Yosys's. */
const gowin: readonly Cell[] = [
  { name: "LUT1", parameters: "#(.INIT(2'd1))", inputs: { I0: "r[0]" }, output: "F" },
  { name: "LUT2", parameters: "#(.INIT(4'd8))", inputs: { I0: "r[0]", I1: "r[1]" }, output: "F" },
  {
    name: "LUT3",
    parameters: "#(.INIT(8'd202))",
    inputs: { I0: "r[0]", I1: "r[1]", I2: "r[2]" },
    output: "F",
  },
  { name: "LUT4", parameters: "#(.INIT(16'd7911))", inputs: lut4, output: "F" },
  ...[5, 6, 7, 8].map(
    (n): Cell => ({
      name: `MUX2_LUT${n}`,
      inputs: { I0: "r[0]", I1: "r[1]", S0: "r[2]" },
      output: "O",
    }),
  ),
  ...[0, 1, 2, 3, 4, 5].flatMap((mode) =>
    ["SUM", "COUT"].map(
      (output): Cell => ({
        name: "ALU",
        parameters: `#(.ALU_MODE(${mode}))`,
        inputs: { I0: "r[0]", I1: "r[1]", I3: "r[2]", CIN: "r[3]" },
        output,
      }),
    ),
  ),
  clocked("DFF"),
  clocked("DFFE", { CE: "r[1]" }),
  clocked("DFFS", { SET: "r[1]" }),
  clocked("DFFSE", { CE: "r[1]", SET: "r[2]" }),
  clocked("DFFR", { RESET: "r[1]" }),
  clocked("DFFRE", { CE: "r[1]", RESET: "r[2]" }),
  {
    name: "RAM16SDP4",
    parameters: "#(.INIT_0(16'h1234), .INIT_1(16'h5678), .INIT_2(16'h9abc), .INIT_3(16'hdef0))",
    inputs: { CLK: "clk", WRE: "r[0]", WAD: "r[4:1]", RAD: "r[8:5]", DI: "r[12:9]" },
    output: "DO",
    bits: 4,
  },
];

const four = (digit: string) =>
  Object.fromEntries(["A", "B", "C", "D"].map((port, k) => [port + digit, `r[${k + 4 * Number(digit)}]`]));

const nexus: readonly Cell[] = [
  { name: "LUT4", parameters: '#(.INIT("0x1ee7"))', inputs: four(""), output: "Z" },
  {
    name: "WIDEFN9",
    parameters: '#(.INIT0("0xCAFE"), .INIT1("0x1234"))',
    inputs: { ...four("0"), ...four("1"), SEL: "r[8]" },
    output: "Z",
  },
  ...["YES", "NO"].flatMap((inject) =>
    ["S0", "S1", "COUT"].map(
      (output): Cell => ({
        name: "CCU2",
        parameters: `#(.INJECT("${inject}"), .INIT0("0x96aa"), .INIT1("0x5aac"))`,
        inputs: { ...four("0"), ...four("1"), CIN: "r[8]" },
        output,
      }),
    ),
  ),
  { name: "INV", inputs: { A: "r[0]" }, output: "Z" },
  { name: "FD1P3IX", inputs: { CK: "clk", D: "r[0]", SP: "r[1]", CD: "r[2]" }, output: "Q" },
  { name: "FD1P3JX", inputs: { CK: "clk", D: "r[0]", SP: "r[1]", PD: "r[2]" }, output: "Q" },
  {
    name: "DPR16X4",
    parameters: '#(.INITVAL("0x0123456789abcdef"))',
    inputs: { WCK: "clk", WRE: "r[0]", WAD: "r[4:1]", RAD: "r[8:5]", DI: "r[12:9]" },
    output: "DO",
    bits: 4,
  },
];

it.each(Object.entries({ ice40, gowin, nexus }))("models of %s cells do what Yosys's do", (family, cells) => {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-cells-"));
  try {
    writeFileSync(
      path.join(folder, "ours.v"),
      readFileSync(ours(family), "utf8").replaceAll(/^module /gm, "module our_"),
    );
    const instances = cells.map(({ name, parameters = "", inputs, output, bits = 1 }, k) => {
      const given = Object.entries(inputs).map(([port, from]) => `.${port}(${from})`);
      const instance = (prefix: string) =>
        `${prefix}${name} ${parameters} ${prefix}cell${k} (${given.join(", ")}, .${output}(${prefix}out${k}));`;
      return [
        `wire [${bits - 1}:0] our_out${k}, out${k};`,
        instance("our_"),
        instance(""),
        `always @(negedge clk) if (our_out${k} !== out${k} && ^out${k} !== 1'bx) $display("${name} ${output} ${parameters.replaceAll('"', "")} differs");`,
        `always @(negedge clk) if (^our_out${k} !== 1'bx) compared[${k}] <= 1;`,
      ].join("\n");
    });
    writeFileSync(
      path.join(folder, "bench.v"),
      `module bench;
reg clk = 0;
reg [63:0] r = 0;
reg [${cells.length - 1}:0] compared = 0;
integer n;
${instances.join("\n")}
initial begin
  for (n = 0; n < 3000; n = n + 1) begin
    r = {$random, $random};
    #1 clk = 1;
    #1 clk = 0;
  end
  $display("compared %0d", &compared);
end
endmodule
`,
    );
    const folderOfTheirs = theirs(family);
    execFileSync(
      "iverilog",
      [
        "-g2012",
        "-DNO_ICE40_DEFAULT_ASSIGNMENTS",
        `-I${folderOfTheirs}`,
        ...["-s", "bench", "-o", "bench", "bench.v", "ours.v"],
        path.join(folderOfTheirs, "cells_sim.v"),
      ],
      { cwd: folder, stdio: "pipe" },
    );
    const out = execFileSync("vvp", ["-n", "bench"], { cwd: folder, encoding: "utf8" });
    expect([...new Set(out.trim().split("\n"))]).toEqual(["compared 1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
