/**
 * Emitted designs against the serial program. A case defines `void work(...)` with one region; its design runs
 * under Icarus Verilog over a memory that holds copies of the arrays, the C function runs as gcc compiles it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { connections } from "../../../core/compiler/driver/connected.ts";
import { withChannels } from "../../../core/compiler/passes/channels.ts";
import { runPasses } from "../../../core/compiler/passes/pipeline.ts";
import { SHORT_ADDRESS } from "../../../core/hw/dfg/region.ts";
import { addressed, keptParameters } from "../../../core/ir/analysis/addressed.ts";
import { constantsOf } from "../../../core/ir/analysis/constants.ts";
import { deviceFunctions, noOtherUnits, recursionRefused } from "../../../core/ir/analysis/routines.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse } from "../../../core/lang/index.ts";
import type { Diagnostic } from "../../../core/lang/tree/ast.ts";
import type { Assignment } from "../../../schema/document/axis.ts";
import {
  type Design,
  designOf,
  designTogether,
  type PortOptions,
  type Ports,
} from "../../../targets/rtl/design/design.ts";
import { oneDataPath } from "../../../targets/rtl/emit.ts";
import type { Part } from "../../../targets/rtl/families/family.ts";
import { hx8k, parts } from "../../../targets/rtl/parts.ts";
import { profileAt } from "../../../targets/rtl/profile.ts";
import { dataBytesOf } from "../../../targets/rtl/verilog/board/shell.ts";
import { shellName } from "../../../targets/rtl/verilog/board/wrapper.ts";
import type { LoweredRegion } from "../../../targets/shared/device/device.ts";
import { lower } from "../../../targets/shared/lower/lower.ts";
import { yosys } from "./yosys.ts";

export interface Designed {
  /** Several run together. */
  readonly regions: readonly LoweredRegion[];
  readonly design: Design;
}

type Outcome = Designed | { readonly diagnostics: readonly Diagnostic[] };

const alone = { kind: "whole", others: noOtherUnits } as const;

/** The designs of a source's regions; the source needs no preprocessing. */
export function designsOf(
  source: string,
  choice: Assignment = {},
  ports: Ports = "separate",
  clock = hx8k.clock,
  port: PortOptions = {},
  registers = false,
  device = hx8k,
): readonly Outcome[] {
  const { unit, diagnostics } = parse(source, { file: "case.c" });
  const program = normalise(readOpenarc(readDirectives(unit)), alone);
  const found = [...diagnostics, ...program.diagnostics].filter((d) => d.severity === "error");
  if (found.length > 0) return [{ diagnostics: found }];
  return tasksOf(program).map(({ task }): Outcome => {
    const run = runPasses(task, choice, profileAt(device, clock), true);
    if (run.diagnostics.length > 0) return { diagnostics: run.diagnostics };
    const { functions } = deviceFunctions(program, spmdOf(run.task).body, alone);
    const refused = recursionRefused(functions);
    if (refused.length > 0) return { diagnostics: refused };
    const region = lower({
      task: run.task,
      functions,
      model: oneDataPath,
      constants: constantsOf(program),
      addressed: addressed(program),
      isRetained: keptParameters(program),
    });
    const design = designOf(region, { device, clock, ports, port, registers });
    return "diagnostics" in design ? design : { regions: [region], design };
  });
}

/** The design of regions that channels join. */
export function designedTogether(
  source: string,
  ports: Ports = "separate",
  choice: Assignment = {},
): Designed {
  const { unit } = parse(source, { file: "case.c" });
  const program = normalise(readOpenarc(readDirectives(unit)), alone);
  const { groups, diagnostics } = connections(program, (task) => task);
  expect(diagnostics).toEqual([]);
  const [group, ...more] = new Set(groups.values());
  if (!group || more.length > 0) throw new Error("channels join no regions, or several groups of them");
  const regions = group.tasks.map((task, k) => {
    const run = runPasses(withChannels(task, k, group.channels), choice, hx8k, true);
    expect(run.diagnostics).toEqual([]);
    const { functions } = deviceFunctions(program, spmdOf(run.task).body, alone);
    return lower({
      task: run.task,
      functions,
      model: oneDataPath,
      constants: constantsOf(program),
      addressed: addressed(program),
      isRetained: keptParameters(program),
    });
  });
  const channels = group.channels.map(({ name, type, producer, consumer }) => ({
    name,
    type,
    depth: 2,
    from: (regions[producer] as LoweredRegion).region,
    to: (regions[consumer] as LoweredRegion).region,
  }));
  const design = designTogether(regions, channels, { device: hx8k, ports });
  if ("diagnostics" in design) throw new Error(design.diagnostics.map((d) => d.message).join("\n"));
  return { regions, design };
}

export function designed(
  source: string,
  choice: Assignment = {},
  ports: Ports = "separate",
  clock = hx8k.clock,
  port: PortOptions = {},
  registers = false,
): Designed {
  const outcomes = designsOf(source, choice, ports, clock, port, registers);
  const [only] = outcomes;
  if (!only || outcomes.length > 1) throw new Error(`${outcomes.length} regions`);
  if ("diagnostics" in only)
    throw new Error(
      only.diagnostics.map((d) => `${d.loc.line}:${d.loc.col} ${d.code}: ${d.message}`).join("\n"),
    );
  return only;
}

/** Contents of an array. The same object is the same array. */
export interface GivenArray {
  readonly bytes: number;
  readonly values: readonly (number | bigint)[];
  /** Elements that are pointers, by index: the array that each leads to, and the element there. */
  readonly leads?: ReadonlyMap<number, { readonly to: GivenArray; readonly at: number }>;
}

/** A value for a parameter of `work`. */
export type Given = number | bigint | GivenArray;

interface Memory {
  readonly latency: number;
  readonly stalls: number;
  readonly seed: number;
  /** The launch states that arrays do not overlap. */
  readonly apart?: boolean;
}

export const ideal: Memory = { latency: 2, stalls: 0, seed: 1 };

export interface Run {
  readonly cycles: number;
  /** Of pipelines, in order: which one, iterations, and a bit for each read port that was used. */
  readonly runs: readonly {
    readonly pipeline: number;
    readonly iterations: number;
    readonly ports: number;
  }[];
  /** How often each pipeline started, and its iterations, by its number. */
  readonly pipelines: readonly { readonly starts: number; readonly iterations: number }[];
  /** The arrays afterwards, by name; none with pointers. */
  readonly arrays: Readonly<Record<string, readonly bigint[]>>;
}

/** Makes the design what Yosys makes of it for a part; gives the models of its cells. */
function synthesised(folder: string, part: string): string {
  const { synthesis, libraries = {}, models = "", yosys: newer } = (parts[part] as Part).family;
  for (const [name, text] of Object.entries(libraries)) writeFileSync(path.join(folder, name), text);
  const commands = [
    "read_verilog design.v",
    ...synthesis(shellName),
    "splitnets",
    "write_verilog -noattr design.v",
  ];
  yosys(folder, commands, newer === undefined ? "installed" : "npm");
  return path.resolve(import.meta.dirname, "../../../targets/runtime", models);
}

const bytesOf = (value: number | bigint, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, b) =>
    Number((BigInt.asUintN(64, BigInt(value)) >> BigInt(8 * b)) & 255n),
  );

/** Simulates a design; arguments by the names of the region's variables. */
export function simulate(
  { regions, design }: Designed,
  given: Readonly<Record<string, Given>>,
  memory: Memory = ideal,
  of: "design" | "netlist" = "design",
  part = "ice40-hx8k",
): Run {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-rtl-"));
  try {
    const bytes: number[] = [0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa];
    const places: { name: string; at: number; of: GivenArray }[] = [];
    const placed = (name: string, value: GivenArray): bigint => {
      const known = places.find(({ of }) => of === value);
      if (known) {
        places.push({ ...known, name });
        return BigInt(known.at);
      }
      while (bytes.length % 8 !== 0) bytes.push(0xaa);
      const at = bytes.length;
      places.push({ name, at, of: value });
      for (const v of value.values) bytes.push(...bytesOf(v, value.bytes));
      return BigInt(at);
    };
    const args = regions
      .flatMap((region) => region.kernels[0]?.params ?? [])
      .map((p): bigint => {
        if (p.source.from !== "argument") throw new Error("the kernel takes more than arguments");
        const value = given[p.source.argument.name];
        if (value === undefined) throw new Error(`no value for ${p.source.argument.name}`);
        if (typeof value !== "object") return BigInt.asUintN(64, BigInt(value));
        return placed(p.source.argument.name, value);
      });
    for (const [name, value] of Object.entries(given))
      if (typeof value === "object" && !places.some((place) => place.name === name)) placed(name, value);
    for (const { at, of } of places)
      for (const [k, lead] of of.leads ?? []) {
        const address = (places.find((place) => place.of === lead.to)?.at ?? 0) + lead.at * lead.to.bytes;
        bytes.splice(at + k * of.bytes, of.bytes, ...bytesOf(address, of.bytes));
      }
    // Words of memory are there as a whole.
    while (bytes.length % 64 !== 0) bytes.push(0xaa);
    const hex = (v: number | bigint, digits: number) => v.toString(16).padStart(digits, "0");
    writeFileSync(path.join(folder, "design.v"), design.text);
    writeFileSync(path.join(folder, "memory.hex"), bytes.map((b) => hex(b, 2)).join("\n"));
    writeFileSync(
      path.join(folder, "arguments.hex"),
      (args.length ? args : [0n]).map((a) => hex(a, 16)).join("\n"),
    );
    const { kernel, ported } = design;
    const portsOf = (all: readonly unknown[]) => Math.max(1, ported ? Math.min(1, all.length) : all.length);
    const parameters = {
      ARGS: Math.max(1, args.length),
      R: portsOf(kernel.reads),
      W: portsOf(kernel.writes),
      P: Math.max(1, kernel.probes.length),
      D: dataBytesOf(kernel, ported),
      SIZE: bytes.length,
      LATENCY: memory.latency,
      STALLS: memory.stalls,
      ADDRESS: design.plans.some(({ region }) => region.addressBits > SHORT_ADDRESS) ? 64 : 32,
      APART: memory.apart ? 1 : 0,
      SEED: memory.seed,
    };
    const models = of === "netlist" ? [synthesised(folder, part)] : [];
    execFileSync(
      "iverilog",
      [
        "-g2005",
        "-s",
        "bench",
        ...Object.entries(parameters).map(([name, value]) => `-Pbench.${name}=${value}`),
        "-o",
        "bench.vvp",
        "design.v",
        ...models,
        path.join(import.meta.dirname, "bench.v"),
      ],
      { cwd: folder, stdio: "pipe" },
    );
    const out = execFileSync("vvp", ["-n", "bench.vvp"], { cwd: folder, encoding: "utf8" });
    const cycles = /^cycles (\d+)/m.exec(out);
    if (!cycles) throw new Error(`the simulation says: ${out}`);
    const runs = [...out.matchAll(/^run (\d+) (\d+) (\d+)/gm)].map((m) => ({
      pipeline: Number(m[1]),
      iterations: Number(m[2]),
      ports: Number(m[3]),
    }));
    const pipelines = [...out.matchAll(/^pipeline \d+ (\d+) (\d+)/gm)].map((m) => ({
      starts: Number(m[1]),
      iterations: Number(m[2]),
    }));
    const result = readFileSync(path.join(folder, "result.hex"), "utf8")
      .split(/\s+/)
      .filter((w) => /^[0-9a-fxz]{2}$/i.test(w));
    const shown = places.filter(({ of }) => !of.leads);
    const arrays = shown.map(({ name, at, of }) => {
      const elements = of.values.map((_, k) => {
        let value = 0n;
        for (let b = of.bytes - 1; b >= 0; b--)
          value = (value << 8n) | BigInt(`0x${result[at + k * of.bytes + b]}`);
        return value;
      });
      return [name, elements] as const;
    });
    return { cycles: Number(cycles[1]), runs, pipelines, arrays: Object.fromEntries(arrays) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a run used the read port of a load. */
export const loadsAt =
  (run: Run["runs"][number], reads: readonly { readonly load: object }[]) =>
  (load: object): boolean =>
    reads.some((port, k) => port.load === load && (run.ports >> k) % 2 === 1);
