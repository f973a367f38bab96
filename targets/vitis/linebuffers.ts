/**
 * Delay lines in the form that HLS needs: a small window of registers around each group of elements that an iteration
 * reads, and a circular memory between two windows that are far apart, written and read once per step. One long shift
 * register of two image rows would take thousands of registers.
 *
 *     delayline(w, length 2*C+1, places 0, C, 2*C)  =>
 *     window 0 <- memory 0 <- window 1 <- memory 1 <- window 2 <- next element
 */
import { entryOf } from "../../core/checked/access.ts";
import { asIdiom, type DelayLine } from "../../core/ir/model/idioms.ts";
import { arrayOf, evaluateInteger, INT, mapStmt, sizeOf, walkStmt } from "../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
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
  stripImplicit,
} from "../../core/lang/tree/build.ts";
import { moveDown, unrolled } from "../shared/print/idiom-code.ts";
import { directive } from "./directive.ts";
import { linearIn } from "./linear.ts";

/** Minimum distance of two windows, in steps, for a memory to be worth its control. */
const shortest = 4;
/** From this many bits on a memory is block RAM; smaller ones are lookup tables. */
const blockBits = 1024;

interface Part {
  /** The elements of the line that this window holds. */
  readonly low: number;
  readonly high: number;
  readonly registers: Symbol;
  /** The memory between this window and the next. */
  readonly memory?: { readonly words: number; readonly data: Symbol; readonly at: Symbol };
}

/** A kernel's statements with delay lines replaced by windows and memories where possible. */
export function withLineBuffers(body: Stmt): Stmt {
  const lines = new Map<Symbol, readonly Part[]>();
  const steps = new Map<Symbol, DelayLine>();
  walkStmt(body, {
    stmt(s) {
      const line = asIdiom(s, "delayline");
      if (line?.line.kind === "ident") steps.set(line.line.sym, line);
    },
  });
  for (const [sym, step] of steps) {
    const places = placesOf(body, sym, step);
    if (places) lines.set(sym, split(sym, step, places));
  }
  if (lines.size === 0) return body;
  return mapStmt(body, {
    stmt(s) {
      const line = asIdiom(s, "delayline");
      const parts = line?.line.kind === "ident" ? lines.get(line.line.sym) : undefined;
      if (line && parts) return step(line, parts);
      if (s.kind !== "decl") return s;
      const found = s.decls.flatMap((d) => lines.get(d.sym) ?? []);
      if (found.length === 0) return s;
      const rest = s.decls.filter((d) => !lines.has(d.sym));
      const shift = entryOf(steps, s.decls.find((d) => lines.has(d.sym))?.sym as Symbol).shift;
      return [
        ...(rest.length ? [{ ...s, decls: rest }] : []),
        ...found.flatMap((p) => declarations(p, shift)),
      ];
    },
    expr(e) {
      const line = lineOf(e);
      const parts = line && lines.get(line);
      if (e.kind !== "index" || !line || !parts) return e;
      const lane = steps.get(line)?.lane;
      const at = linearIn(e.index, lane);
      const part = parts.find((p) => at && at.constant >= p.low && at.constant <= p.high);
      if (!at || !part) return e;
      const place = intLit(at.constant - part.low);
      const sub =
        at.lanes === 0 || !lane
          ? place
          : at.constant === part.low
            ? ident(lane)
            : binary("+", ident(lane), place);
      return { ...index(ident(part.registers), sub, e.span), type: e.type };
    },
  });
}

/** The variable whose element an expression is. */
export function lineOf(e: Expr): Symbol | undefined {
  const base = e.kind === "index" ? stripImplicit(e.base) : undefined;
  return base?.kind === "ident" ? base.sym : undefined;
}

/** The elements that the body accesses, in all lanes; undefined if an index is not constant. */
function placesOf(body: Stmt, line: Symbol, { lane, shift }: DelayLine): ReadonlySet<number> | undefined {
  const places = new Set<number>();
  let uses = 0;
  let known = 0;
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident" && e.sym === line) uses++;
      if (e.kind !== "index" || lineOf(e) !== line) return;
      const at = linearIn(e.index, lane);
      if (!at || (at.lanes !== 0 && at.lanes !== 1)) return;
      known++;
      for (let k = 0; k < (at.lanes === 1 ? shift : 1); k++) places.add(at.constant + k);
    },
  });
  // The delay line's own node names it once.
  return known === uses - 1 ? places : undefined;
}

function split(
  line: Symbol,
  { length, shift, type }: DelayLine,
  places: ReadonlySet<number>,
): readonly Part[] {
  // New elements arrive in registers, and no element needs to move below the lowest one that is read.
  const positions = [...new Set([...places, ...Array.from({ length: shift }, (_, k) => length - shift + k)])];
  const ranges: { low: number; high: number }[] = [];
  for (const place of positions.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && place - last.high - 1 < shortest * shift) last.high = place;
    else ranges.push({ low: place, high: place });
  }
  // A window passes on and receives as many elements as a step brings; the distance between windows is a number of
  // complete steps.
  ranges.forEach((range, k) => {
    const next = ranges[k + 1];
    const missing = shift - (range.high - range.low + 1);
    if (missing > 0) range.high += missing;
    if (next) next.low -= (next.low - range.high - 1) % shift;
  });
  return ranges.map(({ low, high }, k) => {
    const next = ranges[k + 1];
    const registers = freshSymbol(`${line.name}_${k}`, arrayOf(type, high - low + 1));
    if (!next) return { low, high, registers };
    const words = (next.low - high - 1) / shift;
    const word = shift === 1 ? type : arrayOf(type, shift);
    const data = freshSymbol(`${line.name}_rows_${k}`, arrayOf(word, words));
    return { low, high, registers, memory: { words, data, at: freshSymbol(`${line.name}_at_${k}`, INT) } };
  });
}

function declarations({ registers, memory }: Part, shift: number): Stmt[] {
  const own = [declare(registers), directive("ARRAY_PARTITION", registers, "complete dim=1")];
  if (!memory) return own;
  const { data, at, words } = memory;
  const bits = 8 * (sizeOf(data.type) ?? 0);
  return [
    ...own,
    declare(data),
    directive("BIND_STORAGE", data, `type=ram_2p impl=${bits > blockBits ? "bram" : "lutram"}`),
    ...(shift > 1 ? [directive("ARRAY_PARTITION", data, "complete dim=2")] : []),
    // The circular memory returns to a word after as many steps as it has words.
    directive("DEPENDENCE", data, `type=inter direction=RAW distance=${words} dependent=true`),
    declare(at, intLit(0)),
  ];
}

/** One step, from the oldest element on: the memory after a window has already stored what the window drops. */
function step({ shift, lane, guard, value }: DelayLine, parts: readonly Part[]): Stmt {
  const moves = parts.flatMap((part, k): Stmt[] => {
    const size = part.high - part.low + 1;
    const registers = ident(part.registers);
    const shifted = size > shift ? [moveDown(registers, size - shift, shift)] : [];
    const next = parts[k + 1];
    if (!part.memory || !next)
      return [...shifted, taking(registers, size - shift, shift, value, lane, guard)];
    const { data, at, words } = part.memory;
    const counter = freshSymbol("arc_k", INT);
    const word = (s: Expr): Expr =>
      shift === 1 ? index(ident(data), ident(at)) : index(index(ident(data), ident(at)), s);
    const through = (s: Expr): Stmt[] => [
      exprStmt(assign(index(registers, plus(size - shift, s)), word(s))),
      exprStmt(assign(word(s), index(ident(next.registers), s))),
    ];
    const round = cond(
      binary("==", ident(at), intLit(words - 1)),
      intLit(0),
      binary("+", ident(at), intLit(1)),
    );
    return [
      ...shifted,
      ...(shift === 1 ? through(intLit(0)) : [unrolled(shift, compound(through(ident(counter))), counter)]),
      exprStmt(assign(ident(at), round)),
    ];
  });
  return compound(moves);
}

function taking(
  registers: Expr,
  remaining: number,
  shift: number,
  value: Expr,
  lane?: Symbol,
  guard?: Expr,
): Stmt {
  const take = exprStmt(
    assign(index(registers, lane ? plus(remaining, ident(lane)) : intLit(remaining)), value),
  );
  const guarded = guard ? ifStmt(guard, take) : take;
  return lane ? unrolled(shift, guarded, lane) : guarded;
}

function plus(constant: number, e: Expr): Expr {
  const known = evaluateInteger(e);
  if (known !== undefined) return intLit(BigInt(constant) + known);
  return constant === 0 ? e : binary("+", e, intLit(constant));
}
