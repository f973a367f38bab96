/**
 * Values that the work-items of a warp read of each other, 32 neighbours each. Where the language has no instruction for it,
 * they go through group memory:
 *
 *     x += v of lane + d      =>      value = v; at = lane + d;
 *                                     scratch[item] = value; barrier;
 *                                     other = at is a lane ? scratch[item - lane + at] : value; barrier;
 *                                     if (mask has this lane) x += other;
 */
import { mapTuple } from "../../../core/checked/tuples.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import type { Shuffle } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  INT,
  LONG,
  UINT,
  underlying,
  unqualified,
} from "../../../core/lang/index.ts";
import type { CType, DeclStmt, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  stripImplicit,
} from "../../../core/lang/tree/build.ts";
import { barrier, exchange, workItemId } from "./device.ts";

/** Lanes of a warp: of a wavefront of 64, each half is one. */
export const WARP = 32;
const ALL = 0xffffffffn;

const long = (value: number): Expr => intLit(value, LONG);
const and = (tests: readonly Expr[]): Expr | undefined =>
  tests.length > 0 ? tests.reduce((a, b) => binary("&&", a, b)) : undefined;

/** What both forms compute first. */
interface ExchangeOperands {
  readonly head: readonly DeclStmt[];
  readonly lane: Symbol;
  readonly value: Symbol;
  readonly other: Symbol;
  /** How far, or where. */
  readonly distance: Expr;
  readonly constant: bigint | undefined;
  /** The lane that is asked. */
  readonly at: Symbol;
  /** Lanes that there are; absent: all. */
  readonly count: Symbol | undefined;
  /** Absent: all take part. */
  readonly mask: Symbol | undefined;
}

function operandsOf({ way, mask, lane: namedLane, assignment }: Shuffle, items: number): ExchangeOperands {
  const right = assignment.kind === "assign" ? stripImplicit(assignment.right) : assignment;
  const type = numberType(right.type);
  const [value, other] = mapTuple(["arc_value", "arc_other"], (name) => freshSymbol(name, type));
  const [lane, distance, at] = mapTuple(["arc_lane", "arc_distance", "arc_at"], (name) =>
    freshSymbol(name, LONG),
  );
  const constant = evaluateInteger(namedLane);
  const far = constant === undefined ? ident(distance) : intLit(constant, LONG);
  const place32 = { up: "-", down: "+", xor: "^" } as const;
  const count = items % WARP === 0 ? undefined : freshSymbol("arc_lanes", LONG);
  const named = evaluateInteger(mask);
  const own = named !== undefined && (named & ALL) === ALL ? undefined : freshSymbol("arc_mask", UINT);
  const rest = binary("-", long(items), binary("-", workItemId("item"), ident(lane)));
  return {
    head: [
      declare(value, right),
      ...(constant === undefined ? [declare(distance, cast(LONG, namedLane))] : []),
      ...(own ? [declare(own, cast(UINT, mask))] : []),
      declare(lane, binary("%", workItemId("item"), long(WARP))),
      ...(count ? [declare(count, cond(binary("<", rest, long(WARP)), rest, long(WARP)))] : []),
      declare(at, way === "sync" ? far : binary(place32[way], ident(lane), far)),
    ],
    lane,
    value,
    other,
    distance: far,
    constant,
    at,
    count,
    mask: own,
  };
}

/** An enumeration is handed on as the number that it is. */
function numberType(type: CType): CType {
  const number = canonical(type);
  return unqualified(number.kind === "enum" ? underlying(number) : number);
}

/** By an instruction, which gives a lane its own value where it asks for one beyond the ends. */
export function betweenLanes(shuffle: Shuffle, items: number): Stmt {
  const of = operandsOf(shuffle, items);
  if (isNowhere(of)) return ownValue(shuffle, of);
  const instruction = exchange({
    way: shuffle.way,
    into: ident(of.other),
    value: ident(of.value),
    lane:
      of.constant === undefined ? cast(INT, binary("&", of.distance, long(WARP - 1))) : intLit(of.constant),
    active: activeOf(of),
  });
  const valid = and([
    ...inRange(of),
    ...there(of, of.count !== undefined || of.mask !== undefined),
    ...named(of),
  ]);
  const chosen = valid && exprStmt(assign(ident(of.other), cond(valid, ident(of.other), ident(of.value))));
  return inBlock(of, [
    declare(of.other, ident(of.value)),
    instruction,
    ...(chosen ? [chosen] : []),
    assignOf(shuffle, of),
  ]);
}

/** Through an array of one element for each item of the group. */
export function throughMemory(shuffle: Shuffle, items: number, scratch: (type: CType) => Symbol): Stmt {
  const of = operandsOf(shuffle, items);
  if (isNowhere(of)) return ownValue(shuffle, of);
  const array = ident(scratch(of.value.type));
  const valid = and([...inRange(of), ...there(of, true), ...named(of)]);
  const element = index(array, binary("+", binary("-", workItemId("item"), ident(of.lane)), ident(of.at)));
  return inBlock(of, [
    exprStmt(assign(index(array, workItemId("item")), ident(of.value))),
    barrier(),
    declare(of.other, valid ? cond(valid, element, ident(of.value)) : element),
    barrier(),
    assignOf(shuffle, of),
  ]);
}

const isNowhere = ({ constant }: ExchangeOperands): boolean =>
  constant !== undefined && (constant < 0n || constant >= BigInt(WARP));

/** No lane is so far away. */
const ownValue = (shuffle: Shuffle, of: ExchangeOperands): Stmt =>
  inBlock(of, [declare(of.other, ident(of.value)), assignOf(shuffle, of)]);

/** Behind what it needs of the head. */
function inBlock({ head }: ExchangeOperands, code: readonly Stmt[]): Stmt {
  const block = [...code];
  for (const s of head.toReversed())
    if (s.decls.some(({ sym }) => usesOf(...block).of.has(sym))) block.unshift(s);
  return compound(block);
}

const inRange = ({ constant, distance }: ExchangeOperands): readonly Expr[] =>
  constant !== undefined ? [] : [binary(">=", distance, long(0)), binary("<", distance, long(WARP))];

/** The lane asked is one that the team has; `ends`: also of those beyond the ends of the warp. */
function there({ at, count }: ExchangeOperands, ends: boolean): readonly Expr[] {
  if (!ends) return [];
  return [binary(">=", ident(at), long(0)), binary("<", ident(at), count ? ident(count) : long(WARP))];
}

const bit = (mask: Symbol, lane: Symbol): Expr =>
  binary("&", binary(">>", ident(mask), ident(lane)), intLit(1, UINT));

const named = ({ mask, at }: ExchangeOperands): readonly Expr[] => (mask ? [bit(mask, at)] : []);

/** The lanes that arrive: of the last warp those that there are. */
function activeOf({ count }: ExchangeOperands): Expr {
  if (!count) return intLit(ALL, UINT);
  const some = binary("-", binary("<<", intLit(1, UINT), ident(count)), intLit(1, UINT));
  return cond(binary("<", ident(count), long(WARP)), some, intLit(ALL, UINT));
}

/** What the program makes of the value, in the lanes of the mask. */
function assignOf({ assignment }: Shuffle, { other, mask, lane }: ExchangeOperands): Stmt {
  const { left, op } = assignment as Expr & { kind: "assign" };
  const stmt = exprStmt(assign(left, ident(other), op));
  return mask ? ifStmt(bit(mask, lane), stmt) : stmt;
}
