/**
 * Prints the image's manifest from the record that the kernel's index arithmetic is printed from
 * (targets/runtime/IMAGE.md).
 */

import { usesOf } from "../../../core/ir/analysis/access.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { canonical } from "../../../core/lang/index.ts";
import type { LoweredRegion, ParamSource } from "../device/device.ts";

export interface Payload {
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly tag?: string;
}

export interface ImageHead {
  readonly backend: string;
  readonly target: string;
  readonly variant: string;
  readonly options?: string;
  /** Its regions run on an FPGA. */
  readonly fpga?: boolean;
}

function param(source: ParamSource): string {
  switch (source.from) {
    case "argument":
      return `a${source.index}`;
    case "global":
      return `g${source.index}`;
    case "scratch":
      return `s${source.index}`;
    case "overlap":
      return `o ${source.index} ${source.other}`;
    case "launch":
      return `i ${source.expr}`;
  }
}

/** A pointer refers to data that is already there; other variables are copied for the launch if they are not. */
function globalKind({ sym, item }: Argument): string {
  if (canonical(sym.type).kind === "pointer") return "pointer";
  return item.access === "read-only" ? "copyin" : "copy";
}

/** How a region's launch relates to others of the image: `together wait 0` if channels connect them, `fused last 1`. */
type Start = `${"together" | "fused"} ${"wait" | "last"} ${number}`;

const stepsLine = ({ most, input, output, count }: NonNullable<LoweredRegion["steps"]>): string =>
  `steps ${most} ${input} ${output} ${count}`;

/** Whether its kernels print, so that the program's output shows when they run. */
function prints({ kernels, functions }: LoweredRegion): boolean {
  const code = [...kernels.flatMap((k) => k.body), ...functions.map((f) => f.body)];
  return [...usesOf(...code).calls.keys()].some((sym) =>
    /^(.*printf|puts|putchar|abort|__assert_fail|exit)$/.test(sym.name),
  );
}

/** A kernel that code has if `lg` is to be 1: where only some compilers take what the last group does. */
export const signOf = (region: string): string => `${region}_last`;

/** The lines of one region. */
export function manifest(region: LoweredRegion, start?: Start): string {
  const lines = [
    `region ${region.region}`,
    `site ${region.site.file} ${region.site.line} ${region.site.what}`,
    `args ${region.arguments.length}`,
    ...(start ? [start] : []),
    ...(region.steps && !start ? [stepsLine(region.steps)] : []),
    ...(prints(region) ? ["prints"] : []),
    ...region.globals.map((a) => `global ${globalKind(a)} ${a.global}`),
    ...region.scratch.map((s) => `scratch ${s}`),
    ...(region.zeroed === undefined ? [] : [`zeroed ${region.zeroed} ${signOf(region.region)}`]),
  ];
  const { strays } = region;
  if (strays)
    lines.push(`stray ${strays.scratch}`, ...strays.calls.map((c) => `stray-call ${c.file} ${c.line}`));
  const loops = region.loops ?? [];
  for (const [n, k] of region.kernels.entries()) {
    for (const { count, first } of loops) if (first === n) lines.push(`loop ${count}`);
    lines.push(
      `kernel ${k.name}`,
      `group ${k.atLaunch ? "vl" : k.group[0]} ; ${k.group[1]} ; 1`,
      `grid ${k.grid[0]} ; ${k.grid[1]} ; 1`,
      ...(k.operations ? [`operations ${k.operations.join(" ; ")}`] : []),
      ...k.params.map((p) => `param ${param(p.source)}`),
    );
    for (const { end } of loops) if (end === n + 1) lines.push("end-loop");
  }
  return `${lines.join("\n")}\n`;
}

/** A whole image: manifest and payloads. */
export function image(head: ImageHead, regions: readonly string[], payloads: readonly Payload[]): Uint8Array {
  const text = [
    "arc-image 1",
    `backend ${head.backend}`,
    `target ${head.target}`,
    `variant ${head.variant}`,
    `options ${head.options ?? ""}`,
    ...(head.fpga ? ["fpga"] : []),
    ...regions.map((r) => r.trimEnd()),
    ...payloads.map((p) => `payload ${p.kind} ${p.bytes.length}${p.tag ? ` ${p.tag}` : ""}`),
    "end\n",
  ].join("\n");
  return Buffer.concat([Buffer.from(text), ...payloads.map((p) => p.bytes)]);
}
