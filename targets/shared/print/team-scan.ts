/** Tiles of values that a group's teams scan, as text. */

import { itemAt } from "../../../core/checked/access.ts";
import { mapTuple } from "../../../core/checked/tuples.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import type { ShuffleWay } from "../../../core/ir/model/ir.ts";
import type { TeamScan } from "../device/device.ts";
import { isComplex } from "./complex.ts";
import { combined, type KernelPrinter } from "./kernel-text.ts";

type Shuffle = (way: ShuffleWay, value: string, lane: string) => string;

interface Spelled {
  readonly values: readonly string[];
  readonly prefixes: readonly string[];
  readonly total: string;
  readonly scratch: string;
  readonly lanes: string;
  /** The prefix before the first value. */
  readonly none: string;
  op(a: string, b: string): string;
  declared(name: string): string;
}

function spelled(n: TeamScan, print: KernelPrinter): Spelled {
  const [total, scratch, lanes] = mapTuple([n.total, n.scratch, n.lanes], print.expr);
  return {
    values: n.values.map(print.expr),
    prefixes: n.prefixes.map(print.expr),
    total,
    scratch,
    lanes,
    none: print.expr(identity(n.op, n.total.type)),
    op: combined(n.op, n.total.type),
    declared: (name) => print.decl(n.total.type, name),
  };
}

/**
 * In group memory: each item sums consecutive values, then the items' sums are scanned in steps of doubling
 * distance (Hillis and Steele 1986), from one half of a second array into the other.
 */
export function scanInMemory(n: TeamScan, print: KernelPrinter, barrier: string): string[] {
  const all = spelled(n, print);
  if (n.consecutive) return piecesInMemory(n, all, barrier);
  const { values, prefixes, scratch, lanes, none, op, declared } = all;
  const per = values.length;
  const places = values.map((_, k) => `${scratch}[arc_tile + ${k} * arc_width]`);
  const own = values.map((_, k) => `${scratch}[arc_item * ${per} + ${k}]`);
  const sums = (half: string, item: string) =>
    `${scratch}[${n.items * per} + ${half} * ${n.items} + ${item}]`;
  return [
    "{",
    `  const long arc_width = ${lanes} < 32 ? ${lanes} : 32;`,
    `  const long arc_place = arc_item % ${lanes};`,
    `  const long arc_tile = arc_item / arc_width * arc_width * ${per} + arc_item % arc_width;`,
    `  ${declared("arc_sum")};`,
    `  ${declared("arc_front")};`,
    "  int arc_from = 0;",
    `  ${barrier}`,
    ...places.map((place, k) => `  ${place} = ${values[k]};`),
    `  ${barrier}`,
    `  arc_sum = ${own[0]};`,
    ...own.slice(1).map((value) => `  arc_sum = ${op("arc_sum", value)};`),
    `  ${sums("0", "arc_item")} = arc_sum;`,
    `  ${barrier}`,
    ...doubled(all, sums, barrier),
    `  arc_front = ${none};`,
    `  if (arc_place > 0) arc_front = ${sums("arc_from", "arc_item - 1")};`,
    ...own.flatMap((value) => [
      `  arc_sum = ${value};`,
      `  ${value} = arc_front;`,
      `  arc_front = ${op("arc_front", "arc_sum")};`,
    ]),
    `  ${barrier}`,
    ...places.map((place, k) => `  ${prefixes[k]} = ${place};`),
    "}",
  ];
}

/** Steps over the items' sums, which stand in half 0, and the total. `arc_from`: the half with what the last step made. */
const doubled = (
  { total, lanes, op }: Spelled,
  sums: (half: string, item: string) => string,
  barrier: string,
): string[] => [
  `  for (long arc_far = 1; arc_far < ${lanes}; arc_far *= 2) {`,
  `    ${sums("(1 - arc_from)", "arc_item")} = ${sums("arc_from", "arc_item")};`,
  "    if (arc_place >= arc_far)",
  `      ${sums("(1 - arc_from)", "arc_item")} = ${op(sums("arc_from", "arc_item - arc_far"), sums("arc_from", "arc_item"))};`,
  `    ${barrier}`,
  "    arc_from = 1 - arc_from;",
  "  }",
  `  ${total} = ${sums("arc_from", `arc_item - arc_place + ${lanes} - 1`)};`,
];

/** The prefixes of an item's consecutive values, from `arc_front`. */
const alongPiece = ({ values, prefixes, op }: Spelled): string[] =>
  values.flatMap((value, k) => [
    `  ${prefixes[k]} = arc_front;`,
    ...(k < values.length - 1 ? [`  arc_front = ${op("arc_front", value)};`] : []),
  ]);

/** The sum of an item's values. */
const wholePiece = ({ values: [first, ...more], op, declared }: Spelled): string[] => [
  `  ${declared("arc_sum")} = ${first};`,
  ...more.map((value) => `  arc_sum = ${op("arc_sum", value)};`),
];

/** The same for items with consecutive values, which need no exchange of the values themselves. */
function piecesInMemory(n: TeamScan, all: Spelled, barrier: string): string[] {
  const { scratch, lanes, none, declared } = all;
  const sums = (half: string, item: string) => `${scratch}[${half} * ${n.items} + ${item}]`;
  return [
    "{",
    `  const long arc_place = arc_item % ${lanes};`,
    `  ${declared("arc_front")} = ${none};`,
    "  int arc_from = 0;",
    ...wholePiece(all),
    `  ${barrier}`,
    `  ${sums("0", "arc_item")} = arc_sum;`,
    `  ${barrier}`,
    ...doubled(all, sums, barrier),
    `  if (arc_place > 0) arc_front = ${sums("arc_from", "arc_item - 1")};`,
    ...alongPiece(all),
    "}",
  ];
}

/** The sums of a team's warps, each of which has `own`: their total, and in `arc_front` what those in front come to. */
const acrossWarps = (
  { total, scratch, none, op }: Spelled,
  barrier: string,
  own: string,
  start: readonly string[] = [],
): string[] => [
  "    const int arc_first = arc_me / arc_team_size * (arc_team_size / 32);",
  `    ${barrier}`,
  `    if (arc_me % 32 == 0) ${scratch}[arc_me / 32] = ${own};`,
  `    ${barrier}`,
  ...start,
  `    ${total} = ${none};`,
  "    for (int arc_warp = arc_first; arc_warp < arc_first + arc_team_size / 32; arc_warp++) {",
  `      if (arc_warp == arc_me / 32) arc_front = ${total};`,
  `      ${total} = ${op(total, `${scratch}[arc_warp]`)};`,
  "    }",
];

/** Scans `arc_sum` over the lanes of a team in a warp. */
const upWarp = ({ op, declared }: Spelled, shuffle: Shuffle, margin: string): string[] => [
  `${margin}#pragma unroll`,
  `${margin}for (int arc_far = 1; arc_far < 32; arc_far *= 2) {`,
  `${margin}  const ${declared("arc_other")} = ${shuffle("up", "arc_sum", "arc_far")};`,
  `${margin}  if (arc_place >= arc_far) arc_sum = ${op("arc_other", "arc_sum")};`,
  `${margin}}`,
];

/** Shuffles scan the items' sums; those of several warps go through group memory. */
function piecesByShuffles(all: Spelled, barrier: string, shuffle: Shuffle): string[] {
  const { total, lanes, none, op, declared } = all;
  return [
    "{",
    `  const int arc_me = arc_item, arc_team_size = ${lanes};`,
    "  const int arc_width = arc_team_size < 32 ? arc_team_size : 32;",
    "  const int arc_place = arc_me % arc_width;",
    `  ${declared("arc_front")} = ${none};`,
    ...wholePiece(all),
    ...upWarp(all, shuffle, "  "),
    `  const ${declared("arc_before")} = ${shuffle("up", "arc_sum", "1")};`,
    `  ${total} = ${shuffle("sync", "arc_sum", "(arc_me % 32 - arc_place + arc_width - 1)")};`,
    "  if (arc_team_size > 32) {",
    ...acrossWarps(all, barrier, total),
    "  }",
    `  if (arc_place > 0) arc_front = ${op("arc_front", "arc_before")};`,
    ...alongPiece(all),
    "}",
  ];
}

/** Shuffles scan rows of 32 values one after the other; the sums of several warps go through group memory. */
export function scanByShuffles(
  n: TeamScan,
  print: KernelPrinter,
  barrier: string,
  shuffle: Shuffle,
): string[] {
  if (n.items % 32 !== 0 || isComplex(n.total.type)) return scanInMemory(n, print, barrier);
  const all = spelled(n, print);
  if (n.consecutive) return piecesByShuffles(all, barrier, shuffle);
  const { values, prefixes, total, lanes, none, op, declared } = all;
  const row = (value: string, prefix: string): string[] => [
    "  {",
    `    ${declared("arc_sum")} = ${value};`,
    ...upWarp(all, shuffle, "    "),
    `    const ${declared("arc_other")} = ${shuffle("up", "arc_sum", "1")};`,
    `    ${prefix} = arc_front;`,
    `    if (arc_place > 0) ${prefix} = ${op("arc_front", "arc_other")};`,
    `    const ${declared("arc_row")} = ${shuffle("sync", "arc_sum", "arc_last")};`,
    `    arc_front = ${op("arc_front", "arc_row")};`,
    "  }",
  ];
  return [
    "{",
    `  const int arc_me = arc_item, arc_team_size = ${lanes};`,
    "  const int arc_width = arc_team_size < 32 ? arc_team_size : 32;",
    "  const int arc_place = arc_me % arc_width;",
    "  const int arc_last = arc_me % 32 - arc_place + arc_width - 1;",
    `  ${declared("arc_front")} = ${none};`,
    ...values.flatMap((value, k) => row(value, itemAt(prefixes, k))),
    `  ${total} = arc_front;`,
    "  if (arc_team_size > 32) {",
    ...acrossWarps(all, barrier, "arc_front", [`    arc_front = ${none};`]),
    ...prefixes.map((prefix) => `    ${prefix} = ${op("arc_front", prefix)};`),
    "  }",
    "}",
  ];
}
