/** Combines the values of a group and of its teams, as text. */
import { mapTuple } from "../../../core/checked/tuples.ts";
import type { ShuffleWay } from "../../../core/ir/model/ir.ts";
import { canonical, sizeOf } from "../../../core/lang/index.ts";
import type { CType } from "../../../core/lang/tree/ast.ts";
import type { GroupReduce, TeamReduce } from "../device/device.ts";
import { isComplex } from "./complex.ts";
import { combined, type KernelPrinter, treeReduce } from "./kernel-text.ts";

/** A tree in group memory, for languages without anything better. */
export function teamTree(n: TeamReduce, print: KernelPrinter, barrier: string): string[] {
  const [target, scratch, lanes] = mapTuple([n.target, n.scratch, n.lanes], print.expr);
  const teams = `(${n.items} / ${lanes})`;
  const [member, apart] = n.beside ? [`arc_item % ${lanes}`, ""] : [`arc_item / ${teams}`, ` * ${teams}`];
  const own = `${scratch}[arc_item]`;
  return [
    barrier,
    `${own} = ${target};`,
    barrier,
    `for (long arc_half = ${lanes} / 2; arc_half > 0; arc_half /= 2) {`,
    `  if (${member} < arc_half)`,
    `    ${own} = ${combined(n.op, n.target.type)(own, `${scratch}[arc_item + arc_half${apart}]`)};`,
    `  ${barrier}`,
    "}",
    `${target} = ${scratch}[${n.beside ? `arc_item - ${member}` : `arc_item % ${teams}`}];`,
  ];
}

/** Up to 32 adjacent lanes use shuffles, after which all have the result. Wider teams use group memory as well. */
export function teamShuffle(
  n: TeamReduce,
  print: KernelPrinter,
  barrier: string,
  across: (value: string, mask: string) => string,
): string[] {
  if (!n.beside || n.items % 32 !== 0 || isComplex(n.target.type)) return teamTree(n, print, barrier);
  const [target, scratch, lanes] = mapTuple([n.target, n.scratch, n.lanes], print.expr);
  const warps = `(${lanes} / 32)`;
  return [
    `for (int arc_half = ${lanes} < 32 ? ${lanes} / 2 : 16; arc_half > 0; arc_half /= 2) {`,
    `  const ${print.decl(n.target.type, "arc_other")} = ${across(target, "arc_half")};`,
    `  ${target} = ${combined(n.op, n.target.type)(target, "arc_other")};`,
    "}",
    `if (${lanes} > 32) {`,
    `  ${barrier}`,
    `  if (arc_item % 32 == 0) ${scratch}[arc_item / 32] = ${target};`,
    `  ${barrier}`,
    `  const long arc_first = arc_item / ${lanes} * ${warps};`,
    `  ${target} = ${scratch}[arc_first];`,
    `  for (long arc_warp = 1; arc_warp < ${warps}; arc_warp++)`,
    `    ${target} = ${combined(n.op, n.target.type)(target, `${scratch}[arc_first + arc_warp]`)};`,
    "}",
  ];
}

/** Shuffles transfer numbers of 32 and 64 bits within 32 lanes, a warp or half of one. */
export function isShuffled(type: CType): boolean {
  const size = sizeOf(type) ?? 8;
  const { kind } = canonical(type);
  return (size === 4 || size === 8) && (kind === "int" || kind === "float");
}

/** The group's value in all items. What cannot be shuffled goes through group memory. */
export function groupShuffle(
  n: GroupReduce,
  print: KernelPrinter,
  barrier: string,
  shuffle: (way: ShuffleWay, value: string, lane: string) => string,
): string[] {
  if (n.items % 32 !== 0 || !isShuffled(n.target.type))
    return treeReduce(n, combined(n.op, n.target.type), print, barrier);
  const [target, scratch] = [print.expr(n.target), print.expr(n.scratch)];
  const warps = n.items / 32;
  const ofWarp = [
    "for (int arc_lanes = 16; arc_lanes > 0; arc_lanes /= 2) {",
    `  ${print.decl(n.target.type, "arc_other")} = ${shuffle("down", target, "arc_lanes")};`,
    `  ${target} = ${combined(n.op, n.target.type)(target, "arc_other")};`,
    "}",
  ];
  if (warps === 1) return [...ofWarp, `${target} = ${shuffle("sync", target, "0")};`, barrier];
  return [
    ...ofWarp,
    `if (arc_item % 32 == 0) ${scratch}[arc_item / 32] = ${target};`,
    barrier,
    `${target} = ${scratch}[0];`,
    `for (int arc_warp = 1; arc_warp < ${warps}; arc_warp++)`,
    `  ${target} = ${combined(n.op, n.target.type)(target, `${scratch}[arc_warp]`)};`,
    barrier,
  ];
}
