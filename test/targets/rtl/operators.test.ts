/**
 * Operators as Verilog modules, under Verilator: a result per cycle, all operands of an 8-bit format against exact
 * fractions, hundreds of thousands of operands of binary32 and binary64 against this computer.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { operatorPipeline } from "../../../core/hw/binding/operator-pipeline.ts";
import { binary32, binary64, floatShape } from "../../../core/hw/dfg/float-format.ts";
import { BIT, type FloatOp, type Shape } from "../../../core/hw/dfg/value.ts";
import { type FloatOperator, nameOfOperator } from "../../../core/hw/operators/operator.ts";
import { hx8k } from "../../../targets/rtl/parts.ts";
import { operatorModule } from "../../../targets/rtl/verilog/pipeline/operator.ts";
import { operatorInstance } from "../../../targets/rtl/verilog/pipeline/units.ts";
import { Module } from "../../../targets/rtl/verilog/text/module.ts";
import { reference, specialCodes } from "../../core/hw/operators/reference.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;
const pairs = slow ? 20_000_000 : 300_000;

const tiny = floatShape({ exponent: 4, fraction: 3 });
const [single, double] = [floatShape(binary32), floatShape(binary64)];
const int = (bits: number): Shape => ({ bits, signed: true });

interface Case extends FloatOperator {
  /** In C++, of operands `a` and `b`; absent: all operands are compared with exact fractions. */
  readonly computer?: string;
  /** Operands for which C defines the result. */
  readonly defined?: string;
}

function operation(
  op: FloatOp,
  from: Shape,
  to: Shape,
  operands: number,
  computer?: string,
  defined?: string,
): Case {
  const constants = Array.from({ length: operands }, () => undefined);
  return { op, from, to, constants, ...(computer && { computer }), ...(defined && { defined }) };
}

const inFormat = (shape: Shape, root: string, all: boolean): readonly Case[] => [
  operation("fadd", shape, shape, 2, "a + b"),
  operation("fmul", shape, shape, 2, "a * b"),
  ...(all ? [operation("fdiv", shape, shape, 2, "a / b"), operation("fsqrt", shape, shape, 1, root)] : []),
  operation("feq", shape, BIT, 2, "a == b"),
  operation("flt", shape, BIT, 2, "a < b"),
  operation("fle", shape, BIT, 2, "a <= b"),
];

const cases: readonly Case[] = [
  ...(["fadd", "fmul", "fdiv"] as const).map((op) => operation(op, tiny, tiny, 2)),
  operation("fsqrt", tiny, tiny, 1),
  ...(["feq", "flt", "fle"] as const).map((op) => operation(op, tiny, BIT, 2)),
  ...inFormat(single, "sqrtf(a)", true),
  ...inFormat(double, "sqrt(a)", slow),
  operation("ftof", single, double, 1, "(double)a"),
  operation("ftof", double, single, 1, "(float)a"),
  operation("itof", int(32), single, 1, "(float)a"),
  operation("itof", int(64), double, 1, "(double)a"),
  operation("ftoi", single, int(32), 1, "(int)a", "a > -2147483904.0f && a < 2147483648.0f"),
  operation("ftoi", double, int(64), 1, "(long)a", "a > -9223372036854777856.0 && a < 9223372036854775808.0"),
];

const typeOf = ({ bits, float, signed }: Shape): string =>
  float ? (bits === 32 ? "float" : "double") : bits === 1 ? "bool" : `${signed ? "" : "u"}int${bits}_t`;

/** The 8-bit results for every pair, cases one after the other: -1 for any NaN. */
function expected(): Int16Array {
  const compared = cases.filter((c) => c.computer === undefined);
  return Int16Array.from(
    compared.flatMap((operator) =>
      Array.from({ length: 65536 }, (_, k) => {
        const pair: [bigint, bigint?] = [BigInt(k & 255), BigInt(k >> 8)];
        const want = reference(operator, operator.constants.length === 1 ? [pair[0]] : pair);
        return want === "nan" ? -1 : Number(want);
      }),
    ),
  );
}

/** A module with every operator, on operands of each width. */
function bench(): { readonly verilog: string; readonly latencies: readonly number[] } {
  const top = new Module("bench");
  top.port({ direction: "input", bits: 1, name: "clk" });
  for (const bits of [8, 32, 64])
    for (const name of ["a", "b"]) top.port({ direction: "input", bits, name: `${name}${bits}` });
  const circuits = cases.map((c) => operatorPipeline(c, hx8k.logic, 1000 / hx8k.clock));
  circuits.forEach((circuit, k) => {
    const { bits } = circuit.output.shape;
    const result = top.port({ direction: "output", bits, name: `r${k}` });
    const operands = circuit.inputs.map((v) => `${v.name}${v.shape.bits}`);
    top.instance(...operatorInstance(circuit, `unit${k}`, operands, result));
  });
  return {
    verilog: [...new Set(circuits.map(operatorModule)), top.text()].join("\n"),
    latencies: circuits.map((c) => c.latency),
  };
}

function harness(latencies: readonly number[]): string {
  const specials = (shape: Shape) => specialCodes(shape.float ?? binary32).map((c) => `${c}ull`);
  let compared = 0;
  const checks = cases.map((c, k) => {
    const { bits } = c.from;
    const at = `const Pair &p = at(t - ${latencies[k]});`;
    const where = `t >= ${latencies[k]}`;
    const name = `"${nameOfOperator(c)}"`;
    if (c.computer === undefined)
      return `if (${where}) { ${at} check(${name}, p.a8, p.b8, top.r${k}, want[${compared++}][p.a8 | p.b8 << 8]); }`;
    const [from, to] = [typeOf(c.from), typeOf(c.to)];
    const type = c.to.float ? `same<${to}>` : "same_bits";
    return `if (${where}) { ${at} ${from} a = as<${from}>(p.a${bits}), b = as<${from}>(p.b${bits}); (void)b;
      if (${c.defined ?? "true"}) { ${to} want = ${c.computer}; if (!${type}(top.r${k}, bits(want))) fault(${name}, p.a${bits}, p.b${bits}, top.r${k}, bits(want)); } }`;
  });
  return `#include "Vbench.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
double sc_time_stamp() { return 0; }
struct Pair { uint64_t a64, b64; uint32_t a32, b32; uint8_t a8, b8; };
static Pair history[256];
static Pair &at(long t) { return history[t & 255]; }
static const uint64_t special32[] = {${specials(single)}}, special64[] = {${specials(double)}};
static const long count32 = sizeof special32 / 8, count64 = sizeof special64 / 8;
static int faults;
template <class T, class U> static T as(U code) { T value; memcpy(&value, &code, sizeof value); return value; }
template <class T> static uint64_t bits(T value) { uint64_t code = 0; memcpy(&code, &value, sizeof value); return code; }
static bool same_bits(uint64_t got, uint64_t want) { return got == want; }
template <class T> static bool same(uint64_t got, uint64_t want) {
  return got == want || (std::isnan(as<T>(got)) && std::isnan(as<T>(want)));
}
static bool nan8(uint64_t code) { return (code & 0x78) == 0x78 && (code & 7) != 0; }
static void fault(const char *name, uint64_t a, uint64_t b, uint64_t got, uint64_t want) {
  if (faults++ < 20) printf("%s: %llx %llx gives %llx, not %llx\\n", name, (unsigned long long)a,
    (unsigned long long)b, (unsigned long long)got, (unsigned long long)want);
}
static void check(const char *name, uint64_t a, uint64_t b, uint64_t got, int want) {
  if (want < 0 ? !nan8(got) : got != (uint64_t)want) fault(name, a, b, got, want);
}
static uint64_t state = 88172645463325252ull;
static uint64_t next() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static int16_t want[${compared}][65536];
int main() {
  FILE *file = fopen("want.bin", "rb");
  if (!file || fread(want, sizeof want, 1, file) != 1) return 1;
  Vbench top;
  for (long t = 0; t < ${pairs} + 256; t++) {
    Pair &now = at(t);
    now.a8 = t & 255; now.b8 = t >> 8 & 255;
    // Operands alike, so that sums cancel; then any; the special ones with one another first.
    uint64_t near = next() >> (next() & 63);
    now.a64 = next(); now.b64 = t & 1 ? next() : now.a64 ^ near;
    now.a32 = next(); now.b32 = t & 1 ? next() : now.a32 ^ (near >> 32);
    if (t < count32 * count32) { now.a32 = special32[t % count32]; now.b32 = special32[t / count32]; }
    if (t < count64 * count64) { now.a64 = special64[t % count64]; now.b64 = special64[t / count64]; }
    // Integers, and numbers near them.
    if (t % 16 == 3) { now.a32 = as<uint32_t>((float)(int)next()); now.a64 = as<uint64_t>((double)(long)next()); }
    top.a8 = now.a8; top.b8 = now.b8; top.a32 = now.a32; top.b32 = now.b32; top.a64 = now.a64; top.b64 = now.b64;
    top.clk = 0;
    top.eval();
    ${checks.join("\n    ")}
    top.clk = 1;
    top.eval();
  }
  printf("%d faults\\n", faults);
  return 0;
}
`;
}

it("operators give this computer's bits, one result per cycle", {
  timeout: slow ? 3_600_000 : 600_000,
}, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-operators-"));
  try {
    const { verilog, latencies } = bench();
    writeFileSync(path.join(folder, "bench.v"), verilog);
    writeFileSync(path.join(folder, "bench.cpp"), harness(latencies));
    writeFileSync(path.join(folder, "want.bin"), expected());
    const flags = ["--cc", "--exe", "--build", "-O3", "-Wall", "-Wno-DECLFILENAME", "--top-module", "bench"];
    const make = ["-MAKEFLAGS", "-s OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "-CFLAGS", "-O0"];
    execFileSync("verilator", [...flags, ...make, "bench.v", "bench.cpp", "-o", "bench"], {
      cwd: folder,
      stdio: "pipe",
    });
    const out = execFileSync("obj_dir/bench", { cwd: folder, encoding: "utf8" });
    expect(out).toBe("0 faults\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
