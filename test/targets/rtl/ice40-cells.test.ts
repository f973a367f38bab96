/** The cells that netlists are simulated with against those of the installed Yosys, by random inputs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const ours = path.resolve(import.meta.dirname, "../../../targets/runtime/simulator/ice40_cells.v");

/** Yosys keeps its models beside its programs. */
function theirs(): string {
  const program = execFileSync("which", ["yosys"], { encoding: "utf8" }).trim();
  return path.resolve(path.dirname(realpathSync(program)), "../share/yosys/ice40/cells_sim.v");
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

const cells: readonly Cell[] = [
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

it("models of an iCE40's cells do what Yosys's do", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-cells-"));
  try {
    writeFileSync(
      path.join(folder, "ours.v"),
      readFileSync(ours, "utf8").replaceAll("module SB_", "module OUR_"),
    );
    const instances = cells.map(({ name, parameters = "", inputs, output, bits = 1 }, k) => {
      const given = Object.entries(inputs).map(([port, from]) => `.${port}(${from})`);
      const instance = (prefix: string) =>
        `${name.replace("SB_", prefix)} ${parameters} ${prefix}${k} (${given.join(", ")}, .${output}(${prefix}out${k}));`;
      return [
        `wire [${bits - 1}:0] OUR_out${k}, SB_out${k};`,
        instance("OUR_"),
        instance("SB_"),
        `always @(negedge clk) if (OUR_out${k} !== SB_out${k} && ^SB_out${k} !== 1'bx) $display("${name} ${parameters} differs");`,
        `always @(negedge clk) if (^OUR_out${k} !== 1'bx) compared[${k}] <= 1;`,
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
    execFileSync(
      "iverilog",
      [
        "-g2005-sv",
        "-DNO_ICE40_DEFAULT_ASSIGNMENTS",
        "-s",
        "bench",
        "-o",
        "bench",
        "bench.v",
        "ours.v",
        theirs(),
      ],
      {
        cwd: folder,
        stdio: "pipe",
      },
    );
    const out = execFileSync("vvp", ["-n", "bench"], { cwd: folder, encoding: "utf8" });
    expect([...new Set(out.trim().split("\n"))]).toEqual(["compared 1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
