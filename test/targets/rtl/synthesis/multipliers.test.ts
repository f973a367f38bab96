/** Products on parts with multipliers: the serial program's, and in the part's multipliers. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { amountsOf } from "../../../../targets/rtl/cells.ts";
import { tableOf } from "../../../../targets/rtl/parts.ts";
import { shellName } from "../../../../targets/rtl/verilog/board/wrapper.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { type Designed, designsOf, simulate } from "../simulation.ts";

/** Of signed, unsigned and mixed factors, narrow and wide ones, cut and whole; one is too wide for a multiplier. */
const source = `void work(int n, const short *restrict a, const unsigned short *restrict b, const int *restrict c,
          long long *restrict out) {
#pragma acc parallel loop copyin(a[0:60], b[0:60], c[0:60]) copyout(out[0:60])
  for (int i = 0; i < n; i++) {
    long long s = (long long)a[i] * a[i] + (unsigned)b[i] * (b[i] + 1u);
    s ^= a[i] * (int)b[i];
    s += (long long)c[i] * a[i] - (signed char)(a[i] * c[i]);
    s -= (long long)c[i] * (c[i] - 1ll) * 3;
    out[i] = s + (s & 0xffffffffffll) * (long long)b[i];
  }
}`;

const numbers = (bytes: number, f: (k: number) => number) => ({
  bytes,
  values: Array.from({ length: 60 }, (_, k) => f(k)),
});
const given = {
  n: 59,
  a: numbers(2, (k) => [-32_768, 32_767, -1, 0][k] ?? ((k * 7919) % 65_536) - 32_768),
  b: numbers(2, (k) => [0, 65_535, 32_768, 1][k] ?? (k * 4099) % 65_536),
  c: numbers(
    4,
    (k) => [-2_147_483_648, 2_147_483_647, -1][k] ?? ((k * 40_503_337) % 4_294_967_296) - 2_147_483_648,
  ),
  out: numbers(8, () => 0),
};

describe.each([
  ["ecp5-25k", "synth_ecp5"],
  ["lifcl-40", "synth_nexus"],
])("products on %s", (part, synthesis) => {
  const table = tableOf(part);
  const [made] = designsOf(source, {}, "separate", table.clock, {}, false, table);
  const designed = made as Designed;

  it("give C's results, in Verilog without a warning", () => {
    expect(lint(designed.design.text)).toBe("");
    const run = simulate(designed, given, { latency: 2, stalls: 3, seed: 4 });
    const [serial] = serialArrays([{ source, given }]);
    expect({ ...serial, ...run.arrays }).toEqual(serial);
  }, 60_000);

  it.runIf(process.env.ARC_SLOW_TESTS)(
    "are in the part's multipliers",
    () => {
      const folder = mkdtempSync(path.join(tmpdir(), "arc-dsp-"));
      try {
        writeFileSync(path.join(folder, "design.v"), designed.design.text);
        const script = `read_verilog design.v; ${synthesis} -top ${shellName}; write_json netlist.json`;
        execFileSync("yosys", ["-q", "-p", script], { cwd: folder, stdio: "pipe" });
        const { modules } = JSON.parse(readFileSync(path.join(folder, "netlist.json"), "utf8"));
        const cells = Object.values<{ cells: Record<string, { type: string }> }>(modules).flatMap((m) =>
          Object.entries(m.cells).map(([name, { type }]) => ({ name, type })),
        );
        expect(amountsOf(cells).dsps).toBeGreaterThanOrEqual(4);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});
