/**
 * Designs that are AXI4 managers, over a memory that checks the protocol (arc_axi.h) and holds up all channels at
 * random. More ports, and what breaks it, with ARC_SLOW_TESTS.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { PortOptions } from "../../../../targets/rtl/design/design.ts";
import { driverHeader, driverHeaderText } from "../../../../targets/rtl/simulation.ts";
import { shellName } from "../../../../targets/rtl/verilog/board/wrapper.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed } from "../simulation.ts";

const source = `void work(int n, unsigned char *restrict a, long *restrict t, unsigned char *restrict c, long *restrict d) {
#pragma acc serial copyin(a[0:600], t[0:16]) copy(c[0:600], d[0:16])
  {
    for (int i = 2; i < n; i++) {
      unsigned char x = a[i];
      c[i - 1] = x + a[i + 1];
      if (x > 200) d[x & 15] = t[x >> 4] + i;
    }
#pragma unroll 4
    for (int i = 1; i < n - 301; i++) {
      unsigned char x = a[i];
      if (i & 3) c[i + 300] = x * 3;
    }
  }
}`;
const given = {
  n: 597,
  a: { bytes: 1, values: Array.from({ length: 600 }, (_, k) => ((k * 7919) >> 3) & 255) },
  t: { bytes: 8, values: Array.from({ length: 16 }, (_, k) => k * k - 40) },
  c: { bytes: 1, values: Array.from({ length: 600 }, () => 9) },
  d: { bytes: 8, values: Array.from({ length: 16 }, (_, k) => k) },
};
const simulators = path.resolve(import.meta.dirname, "../../../../targets/runtime/simulator");

/** A program that calls the design once, with these arguments, and prints its arrays, one per line. */
function program(order: readonly string[]): string {
  const arrays = Object.entries(given).filter(([name]) => name !== "n") as [string, (typeof given)["a"]][];
  const type = (bytes: number) => `uint${bytes * 8}_t`;
  return `#include <cstdint>
#include <cstdio>
struct arc_host_extent { uint64_t start, bytes; };
struct arc_host_grid { int64_t grid[3], group[3]; const arc_host_extent *extents; };
extern "C" void entry(const struct arc_host_grid *grid, void *const *arguments);
static int32_t n = ${given.n};
${arrays.map(([name, { bytes, values }]) => `alignas(4096) static ${type(bytes)} ${name}[] = {${values.map((v) => `(${type(bytes)})${v}`).join(", ")}};`).join("\n")}
int main() {
  arc_host_extent extents[5] = {{0, 0}};
  arc_host_grid grid{{1, 1, 1}, {1, 1, 1}, extents};
  void *arguments[] = {${order.map((name) => (name === "n" ? "&n" : name)).join(", ")}};
  entry(&grid, arguments);
${arrays.map(([name]) => `  for (auto v : ${name}) std::printf("%llu ", (unsigned long long)v);\n  std::printf("\\n");`).join("\n")}
}
`;
}

interface Outcome {
  readonly arrays?: Readonly<Record<string, readonly bigint[]>>;
  readonly says: string;
}

/** What it writes is no memory that it reads. */
const writesAlone = `void work(int n, unsigned char *restrict a, long *restrict t, unsigned char *restrict c, long *restrict d) {
#pragma acc serial copy(a[0:600], t[0:16], c[0:600], d[0:16])
  {
    for (int i = 0; i < n; i++) { c[i] = i * 3; a[i] = i; }
    for (int i = 0; i < 16; i++) { d[i] = i - 5; t[i] = n; }
  }
}`;

/** `change`: a change of the design's text; `registers`: it is run through an AXI4-Lite subordinate. */
function run(
  port: PortOptions,
  change: (text: string) => string = (text) => text,
  registers = false,
  code = source,
): Outcome {
  const { design, regions } = designed(code, {}, "axi4", 50, port, registers);
  expect(lint(design.text)).toBe("");
  const order = (regions[0]?.kernels[0]?.params ?? []).map(({ source: from }) =>
    from.from === "argument" ? from.argument.name : "",
  );
  const folder = mkdtempSync(path.join(tmpdir(), "arc-axi-"));
  try {
    const text = change(design.text);
    writeFileSync(path.join(folder, "design.v"), text);
    writeFileSync(
      path.join(folder, path.basename(driverHeader)),
      driverHeaderText(["entry"], design.kernel, { axi: true, registers }),
    );
    writeFileSync(path.join(folder, "main.cpp"), program(order));
    execFileSync(
      "verilator",
      [
        ...["--cc", "--exe", "--build", "-O3", "--x-assign", "unique", "--x-initial", "unique"],
        ...[
          "-Wno-fatal",
          "-Wno-DECLFILENAME",
          "--top-module",
          shellName,
          "--prefix",
          "Vmodel",
          "-Mdir",
          "model",
        ],
        ...["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"],
        ...["-CFLAGS", `-std=gnu++17 -I${folder} -I${simulators}`],
        ...[
          "design.v",
          path.join(simulators, "arc_simulator.cpp"),
          "main.cpp",
          "-o",
          path.join(folder, "program"),
        ],
      ],
      { cwd: folder, stdio: "pipe" },
    );
    const env = { ...process.env, ARC_RTL_STALLS: "5", ARC_RTL_LATENCY: "6" };
    const { status, stdout, stderr } = spawnSync("./program", { cwd: folder, encoding: "utf8", env });
    if (status !== 0) return { says: stderr };
    const lines = stdout.trim().split("\n");
    const names = Object.keys(given).filter((name) => name !== "n");
    const arrays = names.map((name, k) => [name, lines[k]?.trim().split(" ").map(BigInt) ?? []] as const);
    return { arrays: Object.fromEntries(arrays), says: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const slowly = it.runIf(process.env.ARC_SLOW_TESTS);

describe("an AXI4 manager", () => {
  const [serial] = serialArrays([{ source, given }]);
  const expected = { says: "", arrays: serial };
  it("keeps the protocol over a memory that stalls, run through the registers of an AXI4-Lite subordinate that keeps it, too", () => {
    expect(run({ width: 64, burst: 16 }, undefined, true)).toEqual(expected);
  }, 240_000);
  it("never asks to read where it only writes", () => {
    const { design } = designed(writesAlone, {}, "axi4", 50, { width: 32, burst: 4 });
    expect(lint(design.text)).toBe("");
    expect(design.text).toContain("assign m_axi_arvalid = 1'd0;");
  });
  slowly(
    "writes right where it only writes",
    () => {
      const [arrays] = serialArrays([{ source: writesAlone, given }]);
      expect(run({ width: 32, burst: 4 }, undefined, false, writesAlone)).toEqual({ says: "", arrays });
    },
    240_000,
  );
  slowly(
    "does so with arguments and start as signals",
    () => {
      expect(run({ width: 64, burst: 16 })).toEqual(expected);
    },
    240_000,
  );
  slowly.each([
    { width: 32, burst: 2, outstanding: 2 },
    { width: 128, burst: 256 },
    { width: 32, burst: 1 },
  ])(
    "does so with %j",
    (port) => {
      expect(run(port)).toEqual(expected);
    },
    240_000,
  );
  const replaced = (from: string, to: string) => (text: string) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  slowly.each<[string, (text: string) => string, RegExp, boolean?]>([
    [
      "does not mark the last word",
      replaced("assign m_axi_wlast = beat ==", "assign m_axi_wlast = beat !="),
      /channel W: the last word/,
    ],
    [
      "changes a word before it is taken",
      replaced(
        "assign m_axi_wdata = word;",
        "assign m_axi_wdata = word ^ {63'd0, clk_count[0]};\n  reg [3:0] clk_count; always @(posedge clk) clk_count <= rst ? 4'd0 : clk_count + 4'd1;",
      ),
      /channel W: what is valid changes/,
    ],
    [
      "asks for words of another size",
      replaced("assign m_axi_arsize = 3'd3;", "assign m_axi_arsize = 3'd2;"),
      /channel AR: the burst's words are not the bus's/,
    ],
    [
      "crosses 4 KB",
      replaced("assign m_axi_araddr = read_address;", "assign m_axi_araddr = read_address | 32'd4088;"),
      /channel AR: the burst crosses 4 KB/,
    ],
    [
      "uses addresses where nothing is",
      replaced("assign m_axi_araddr = read_address;", "assign m_axi_araddr = {4'hf, read_address[27:0]};"),
      /memory answered with a decode error/,
    ],
    [
      "answers a write before its word",
      replaced("wire answers = has_address & has_word", "wire answers = has_address"),
      /AXI4-Lite, cycle \d+, channel B: an answer to nothing/,
      true,
    ],
    [
      "changes what is read before it is taken",
      replaced("assign s_axi_arready = ~s_axi_rvalid | s_axi_rready;", "assign s_axi_arready = 1'b1;"),
      /AXI4-Lite, cycle \d+, channel R: what was valid is not/,
      true,
    ],
  ])(
    "that %s is found out",
    (_, change, message, registers = false) => {
      expect(run({ width: 64, burst: 16 }, change, registers).says).toMatch(message);
    },
    240_000,
  );
});
