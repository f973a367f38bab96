/** Combines the values of a group's teams, as text. */
import type { TeamReduce } from "../device/device.ts";
import { isComplex } from "./complex.ts";
import { combined, type KernelPrinter } from "./kernel-text.ts";

/** A tree in group memory, for languages without anything better. */
export function teamTree(n: TeamReduce, print: KernelPrinter, barrier: string): string[] {
  const [target, scratch, lanes] = [n.target, n.scratch, n.lanes].map(print.expr) as [string, string, string];
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
  const [target, scratch, lanes] = [n.target, n.scratch, n.lanes].map(print.expr) as [string, string, string];
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
