/**
 * Objects of one and two bytes in group memory that atomics change. Devices swap words of four bytes, so such a word
 * must belong to one variable entirely: an array is padded to whole words, and a scalar
 * becomes the first element of such an array.
 */

import { arrayOf, canonical, mapStmt, sizeOf } from "../../../../core/lang/index.ts";
import type { ArrayType, CType, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { freshSymbol, ident, index, intLit } from "../../../../core/lang/tree/build.ts";
import { aligned } from "../../legalise/record-layout.ts";
import { atomicTargets } from "./memory.ts";

const WORD = 4;

interface InWords {
  readonly stmts: readonly Stmt[];
  readonly groupMemory: readonly Symbol[];
}

export function inWholeWords(stmts: readonly Stmt[], groupMemory: readonly Symbol[]): InWords {
  const targets = atomicTargets(stmts);
  const padded = new Map(
    groupMemory
      .filter((sym) => targets.has(sym) && isNarrow(sym.type))
      .map((sym) => [sym, inWords(sym)] as const),
  );
  if (padded.size === 0) return { stmts, groupMemory };
  const use = (e: Expr): Expr => {
    const by = e.kind === "ident" ? padded.get(e.sym) : undefined;
    if (by === undefined) return e;
    // Expressions about the variable, including its size, keep their meaning.
    return canonical(e.type).kind === "array" ? { ...ident(by), type: e.type } : index(ident(by), intLit(0));
  };
  return {
    stmts: stmts.map((s) => mapStmt(s, { expr: use })),
    groupMemory: groupMemory.map((sym) => padded.get(sym) ?? sym),
  };
}

function isNarrow(type: CType): boolean {
  const c = canonical(type);
  return c.kind === "array" ? isNarrow(c.of) : (sizeOf(c) ?? WORD) < WORD;
}

function inWords(sym: Symbol): Symbol {
  const c = canonical(sym.type);
  const array: ArrayType = c.kind === "array" ? c : arrayOf(sym.type, 1);
  const row = sizeOf(array.of) ?? WORD;
  let rows = Number(array.size);
  while ((rows * row) % WORD !== 0) rows++;
  return { ...freshSymbol(sym.name, arrayOf(array.of, rows)), attrs: [...(sym.attrs ?? []), aligned(WORD)] };
}
