/**
 * What is known about a kernel in groups before it runs, for `arc translate --explain`: its groups, how many of them
 * fit a multiprocessor, and how its accesses use memory. Registers are chosen by the kernels' compiler.
 */
import type { LoweredRegion } from "../../../targets/shared/device/device.ts";
import { accessesAlong } from "../../../targets/shared/mapping/strides.ts";
import { printExpr, sizeOf } from "../../lang/index.ts";
import type { Loc } from "../../lang/tree/ast.ts";

/** A region, and lines about it. */
export interface GroupStory {
  readonly region: string;
  readonly loc: Loc;
  readonly lines: readonly string[];
}

/** Minimum of NVIDIA's GPUs since 8.0: CUDA C++ Programming Guide, technical specifications by compute capability. */
const MULTIPROCESSOR = { items: 1536, groups: 16, bytes: 100 << 10, warp: 32 } as const;

export function groupStory(region: LoweredRegion, loc: Loc): GroupStory {
  return { region: region.region, loc, lines: [...region.kernels.map(groupLine), ...accessLines(region)] };
}

function groupLine({ name, group: [x, y], shared }: LoweredRegion["kernels"][number]): string {
  const items = x * y;
  const bytes = shared.reduce((sum, sym) => sum + (sizeOf(sym.type) ?? 0), 0);
  const { items: most, groups, bytes: memory, warp } = MULTIPROCESSOR;
  const rounded = Math.ceil(items / warp) * warp;
  const limits = [
    { by: "items", groups: Math.floor(most / rounded) },
    { by: "groups", groups },
    ...(bytes > 0 ? [{ by: "group memory", groups: Math.floor(memory / bytes) }] : []),
  ];
  const least = limits.reduce((a, b) => (b.groups < a.groups ? b : a));
  const share = Math.round((100 * least.groups * rounded) / most);
  return (
    `kernel ${name}: groups of ${y > 1 ? `${x} x ${y}` : x} items, ${bytes} bytes of group memory each; ` +
    `a multiprocessor of ${most} items, ${groups} groups and ${memory >> 10} KiB has room for ${least.groups} ` +
    `(${share} % of its items), by ${least.by} if not by registers`
  );
}

function accessLines({ lanes }: LoweredRegion): readonly string[] {
  if (lanes === undefined)
    return ["accesses: no estimate, since no loop has lanes or group memory is in between"];
  const along = lanes.along.var;
  const found = accessesAlong(lanes.headers, lanes.body, along);
  if (found === undefined) return ["accesses: the body is beyond the analysis"];
  const lines = found.map(({ access, mode, pieces, fewest }) => {
    const how =
      pieces === 1
        ? "all lanes reach the same piece of memory"
        : pieces <= fewest
          ? "lanes side by side"
          : `lanes apart: ${fewest} would do if they lay side by side`;
    return `${mode} ${printExpr(access)}: ${pieces} x 32 bytes for 32 lanes along '${along.name}', ${how}`;
  });
  return [...new Set(lines)];
}

/** Lines without colour, as from `explain`. */
export const explainGroups = (stories: readonly GroupStory[]): readonly string[] =>
  stories.flatMap(({ region, loc, lines }) => [
    `${loc.file}:${loc.line}: region ${region}`,
    ...lines.map((line) => `  ${line}`),
  ]);
