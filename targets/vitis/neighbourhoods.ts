/**
 * Unrolls loops over a neighbourhood: `for (r = 1; r <= 3; r++) s += w[c - r] + w[c + r]` reads constant elements of a
 * delay line only when it is written three times. HLS would unroll it, too, but only after line buffers have replaced
 * the line.
 */
import { usesOf } from "../../core/ir/analysis/access.ts";
import { countedHeader } from "../../core/ir/analysis/loops/counted.ts";
import { asIdiom } from "../../core/ir/model/idioms.ts";
import {
  copyWithFreshLocals,
  evaluateInteger,
  freeVariables,
  mapStmt,
  substitute,
  walkStmt,
} from "../../core/lang/index.ts";
import type { ForStmt, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
import { compound, intLit } from "../../core/lang/tree/build.ts";
import { tripCount, valueAt } from "../shared/loops/trips.ts";
import { lineOf } from "./linebuffers.ts";

const longest = 64n;

export function withConstantPlaces(body: Stmt): Stmt {
  const lines = new Set<Symbol>();
  const lanes = new Set<Symbol | undefined>();
  walkStmt(body, {
    stmt(s) {
      const line = asIdiom(s, "delayline");
      if (line?.line.kind === "ident") lines.add(line.line.sym);
      lanes.add(line?.lane);
    },
  });
  if (lines.size === 0) return body;
  return mapStmt(body, { stmt: (s) => (s.kind === "for" ? (writtenOut(s, lines, lanes) ?? s) : s) });
}

/** A step's lanes stay a loop: line buffers know their elements. */
function writtenOut(
  loop: ForStmt,
  lines: ReadonlySet<Symbol>,
  lanes: ReadonlySet<Symbol | undefined>,
): Stmt | undefined {
  const header = countedHeader(loop);
  if (!("var" in header) || !header.declares || lanes.has(header.var)) return undefined;
  const use = usesOf(loop.body).of.get(header.var);
  if (use?.written || use?.addressTaken || !choosesPlace(loop.body, header.var, lines)) return undefined;
  const trips = evaluateInteger(tripCount(header));
  if (trips === undefined || trips < 0n || trips > longest) return undefined;
  const copies = Array.from({ length: Number(trips) }, (_, k) =>
    substitute(copyWithFreshLocals(loop.body), new Map([[header.var, constantAt(header, k)]])),
  );
  return compound(copies, loop.span);
}

function constantAt(header: Parameters<typeof valueAt>[0], k: number): ReturnType<typeof intLit> {
  return intLit(evaluateInteger(valueAt(header, intLit(k))) as bigint, header.var.type);
}

function choosesPlace(body: Stmt, variable: Symbol, lines: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      const line = lineOf(e);
      if (e.kind === "index" && line && lines.has(line)) found ||= freeVariables(e.index).has(variable);
    },
  });
  return found;
}
