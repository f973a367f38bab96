/**
 * A loop with scans, by all groups of the device: each has a block of iterations. Groups cannot wait for each
 * other, so there are three kernels (reduce, then scan):
 *
 *     each group     part[group] = what its block adds
 *     one group      part[...] = exclusive scan of these, from the variable's initial value
 *     each group     its iterations, from part[group]
 */

import { itemAt } from "../../../../core/checked/access.ts";
import { mapTuple } from "../../../../core/checked/tuples.ts";
import { combine } from "../../../../core/ir/model/combine.ts";
import { identity } from "../../../../core/ir/model/identity.ts";
import { extStmt, type LoopHeader, type Threads } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import { LONG, NOWHERE, pointerTo, sizeOf, unqualified } from "../../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { groupReduce, isFirstItem, workItemId } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { tripCount, valueAt } from "../../loops/trips.ts";
import type { Scan, ScanLoop } from "../../mapping/scans.ts";
import type { ScanKernels } from "../../mapping/stages/plan.ts";
import { iteration, ScanScratch, scanCode } from "./scan-code.ts";
import { wideScan } from "./wide-scans.ts";
import { shiftOf } from "./wide-tile.ts";

/** As many groups as the device can run at a time. */
const GROUPS = 8;
const GRID = `cu ${GROUPS} *`;
/**
 * Values of so many bytes leave room for all groups. Prefix sums of 2^26 numbers took an H200 0.26 ms where nvcc used 38
 * registers, for which two of eight groups had to wait, and 0.22 in a similar loop where it used 32.
 */
const SMALL = 4;
/** Iterations whose loads an item has in flight. */
const UNROLLED = 4;
/** A block's iterations are a multiple of this, and at least this many per item. */
const [ROUND, FEWEST] = [128, 4];

interface Part {
  readonly scan: Scan;
  readonly type: CType;
  /** First the blocks' totals, then the prefix of each block. */
  readonly memory: Symbol;
}

export function scanKernels(scan: ScanLoop, keeps: (sym: Symbol) => boolean, items: number): ScanKernels {
  const parts = scan.scans.map((s): Part => {
    const type = unqualified(s.sym.type);
    const memory = freshSymbol(`${s.sym.name}_of_blocks`, {
      ...pointerTo(type),
      quals: { restrict: true },
    });
    return { scan: s, type, memory };
  });
  const blocks = freshSymbol("arc_blocks", LONG);
  const together = (body: readonly Stmt[]): Stmt =>
    extStmt(
      node<Threads>({ kind: "threads", body: compound(body), site: { loc: scan.loc, what: "loop" } }),
      NOWHERE,
    );
  const scratch = new ScanScratch(items);
  const code = {
    sums: together(sums(scan, parts, scratch, items)),
    fronts: together(fronts(parts, blocks, keeps, scratch, items)),
    values: together(values(scan, parts, scratch, items)),
  };
  const groupMemory = scratch.symbols;
  const isSmall = parts.length === 1 && parts.every(({ type }) => (sizeOf(type) ?? SMALL + 1) <= SMALL);
  return {
    ...code,
    memory: parts.map(({ memory, type }) => ({ sym: memory, bytes: `${sizeOf(type) ?? 8} ${GRID} *` })),
    all: { params: [], groupMemory, grid: GRID, ...(isSmall && { resident: GROUPS }) },
    one: {
      params: [{ sym: blocks, pointer: false, source: { from: "launch", expr: GRID } }],
      groupMemory,
    },
  };
}

/** A group's block: iterations `first` up to `last`. */
function block({ header }: ScanLoop, items: number): { before: Stmt[]; first: Expr; last: Expr } {
  const [n, span, first, last] = mapTuple(["arc_n", "arc_span", "arc_first", "arc_last"], (name) =>
    freshSymbol(name, LONG),
  );
  const long = (value: number) => intLit(value, LONG);
  const step = binary("*", workItemId("groups"), long(ROUND));
  const even = binary("/", binary("+", ident(n), binary("-", step, long(1))), step);
  const [fewest, end] = [long(items * FEWEST), binary("+", ident(first), ident(span))];
  return {
    before: [
      declare(n, tripCount(header)),
      declare(span, binary("*", even, long(ROUND))),
      ifStmt(binary("<", ident(span), fewest), exprStmt(assign(ident(span), fewest))),
      declare(first, binary("*", workItemId("group"), ident(span))),
      declare(last, cond(binary("<", end, ident(n)), end, ident(n))),
    ],
    first: ident(first),
    last: ident(last),
  };
}

const partOf = ({ memory }: Part, at: Expr): Expr => index(ident(memory), at);

function sums(scan: ScanLoop, parts: readonly Part[], scratch: ScanScratch, items: number): Stmt[] {
  const { before, first, last } = block(scan, items);
  const own = parts.map(({ scan: { sym }, type }) => freshSymbol(`${sym.name}_sum`, type));
  const t = freshSymbol("arc_t", LONG);
  const names = new Map(parts.map(({ scan: { sym } }, k) => [sym, ident(itemAt(own, k))] as const));
  const walk = counted(
    t,
    binary("+", first, workItemId("item")),
    last,
    intLit(items, LONG),
    iteration(scan, scan.slice, valueAt(scan.header, ident(t)), names, []),
  );
  return [
    ...before,
    ...parts.map(({ scan: { op }, type }, k) => declare(itemAt(own, k), identity(op, type))),
    { ...walk, pragmas: [unrollPragma(UNROLLED)] },
    ...parts.map(({ scan: { op } }, k) =>
      groupReduce({
        op,
        target: ident(itemAt(own, k)),
        scratch: ident(scratch.for(itemAt(own, k))),
        items,
      }),
    ),
    ifStmt(
      isFirstItem(),
      compound(
        parts.map((part, k) => exprStmt(assign(partOf(part, workItemId("group")), ident(itemAt(own, k))))),
      ),
    ),
  ];
}

/** A scan of the blocks' totals. */
function fronts(
  parts: readonly Part[],
  blocks: Symbol,
  keeps: (sym: Symbol) => boolean,
  scratch: ScanScratch,
  items: number,
): Stmt[] {
  const at = freshSymbol("arc_block", LONG);
  const run = parts.map(({ scan: { sym }, type }) => freshSymbol(`${sym.name}_front`, type));
  const added = parts.map(({ scan: { sym }, type }) => freshSymbol(`${sym.name}_added`, type));
  const loads = parts.map((part, k) => declare(itemAt(added, k), partOf(part, ident(at))));
  const steps = parts.map(({ scan: { op } }, k) => {
    const front = ident(itemAt(run, k));
    return exprStmt(assign(front, combine(op, front, ident(itemAt(added, k)))));
  });
  const stores = parts.map((part, k) => exprStmt(assign(partOf(part, ident(at)), ident(itemAt(run, k)))));
  const header: LoopHeader = {
    var: at,
    declares: true,
    lower: intLit(0, LONG),
    relation: "<",
    bound: ident(blocks),
    step: intLit(1, LONG),
    span: NOWHERE,
  };
  const loop = {
    header,
    privates: [],
    scans: parts.map(({ scan: { op } }, k) => ({ op, sym: itemAt(run, k), step: itemAt(steps, k) })),
    slice: compound([...loads, ...steps]),
    body: compound([...loads, ...stores, ...steps]),
  };
  const [from, to] = [intLit(0, LONG), ident(blocks)];
  const results = parts.flatMap(({ scan: { sym } }, k) =>
    keeps(sym) ? [exprStmt(assign(ident(sym), ident(itemAt(run, k))))] : [],
  );
  return [
    ...parts.map(({ scan: { sym } }, k) => declare(itemAt(run, k), ident(sym))),
    ...scanCode(
      loop,
      { from, to, most: to, lanes: intLit(items, LONG), member: workItemId("item"), items },
      scratch,
    ),
    ...(results.length > 0 ? [ifStmt(isFirstItem(), compound(results))] : []),
  ];
}

function values(scan: ScanLoop, parts: readonly Part[], scratch: ScanScratch, items: number): Stmt[] {
  const { before, first, last } = block(scan, items);
  const run = parts.map(({ scan: { sym }, type }) => freshSymbol(`${sym.name}_run`, type));
  const carry = new Map(parts.map(({ scan: { sym } }, k) => [sym, itemAt(run, k)]));
  const wide = wideScan(scan);
  const shift = freshSymbol("arc_shift", LONG);
  const walk = {
    from: first,
    to: last,
    most: wide ? binary("+", last, ident(shift)) : last,
    ...(wide && { wide: { scan: wide, shift: ident(shift) } }),
    lanes: intLit(items, LONG),
    member: workItemId("item"),
    items,
  };
  return [
    ...before,
    ...(wide ? [declare(shift, shiftOf(wide, scan.header, first))] : []),
    ...parts.map((part, k) => declare(itemAt(run, k), partOf(part, workItemId("group")))),
    ...scanCode(scan, { ...walk, carry }, scratch),
  ];
}
