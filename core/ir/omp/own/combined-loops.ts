/**
 * Loops with user-defined reductions: each thread combines its iterations, groups of threads of a team combine their
 * results in a tree, and one thread at a time combines the result of a tree with the variable.
 *
 *     for reduction(mine: s)         { T s_own; initialise(s_own);
 *       BODY                           for BODY with s_own
 *                               =>     for each group of threads of the team {
 *                                        part[own number] = s_own; barrier;
 *                                        for (n = their number / 2; n > 0; n /= 2) { combine(part[i], part[i + n]); barrier; }
 *                                        one thread at a time: combine(s, part[0]); barrier; } }
 */

import { entryOf } from "../../../checked/access.ts";
import { mapTuple } from "../../../checked/tuples.ts";
import { INT, sizeOf } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  call,
  compound,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import type { Directive } from "../../directives/directive.ts";
import { threadCount, threadNumber } from "../../model/device-routines.ts";
import { type Copied, copiesOf, eachElement, inCopy, inVariable, reducedBy } from "./reduced.ts";

/** Bytes of group memory that the trees may use. */
const ROOM = 8192;
/** Largest number of threads that combine in one tree. */
const WIDEST = 64;

/** A copy may be initialised from the original only if no other thread can have changed it yet. */
export const beginsAlone = (d: Directive): boolean =>
  reducedBy(d).some(({ sym, reduction }) => {
    const copy = freshSymbol("copy", reduction.type);
    return usesOf(exprStmt(reduction.initialise(ident(copy), ident(sym)))).of.has(sym);
  });

interface Combined {
  /** Arrays of the team, declared before the threads' code. */
  readonly ofTeam: readonly Symbol[];
  readonly before: readonly Stmt[];
  readonly body: Stmt;
  readonly after: readonly Stmt[];
}

interface Meeting {
  readonly barrier: Stmt;
  /** One thread at a time. */
  together(combine: Stmt): Stmt | undefined;
}

/** The code for the team's first thread only if `by` is the team; otherwise for all of its threads. */
export function combinedLoop(
  d: Directive,
  written: Stmt,
  by: "team" | "threads",
  meeting: Meeting,
): Combined {
  const { copies, before, body } = copiesOf(d, written);
  const into = (from: (copy: Symbol) => Symbol): Stmt | undefined =>
    meeting.together(
      compound(
        copies.map((c) =>
          eachElement(c, (k) => [
            exprStmt(c.reduction.combine(inVariable(c, k), inCopy(c, ident(from(c.copy)), k))),
          ]),
        ),
      ),
    );
  const bytes = copies.reduce((sum, { copyType }) => sum + (sizeOf(copyType) ?? ROOM), 0);
  const width = by === "team" ? 1 : widthFor(bytes);
  if (width < 2) return { ofTeam: [], before, body, after: listed(into((copy) => copy)) };
  return { before, body, ...combinedInTree(copies, width, meeting, into) };
}

/** `width` threads after another put their copies into an array of the team, and combine them in a tree. */
function combinedInTree(
  copies: readonly Copied[],
  width: number,
  meeting: Meeting,
  into: (from: (copy: Symbol) => Symbol) => Stmt | undefined,
): Pick<Combined, "ofTeam" | "after"> {
  const parts = new Map(
    copies.map(({ copy }) => [
      copy,
      freshSymbol(`${copy.name}_part`, { kind: "array", of: copy.type, size: width }),
    ]),
  );
  const first = new Map(copies.map(({ copy }) => [copy, freshSymbol(`${copy.name}_first`, copy.type)]));
  const last = into((copy) => entryOf(first, copy));
  const part = (copy: Symbol, at: Expr): Expr => index(ident(entryOf(parts, copy)), at);
  const copied = (c: Copied, to: Expr, from: Expr): Stmt =>
    eachElement(c, (k) => [exprStmt(assign(inCopy(c, to, k), inCopy(c, from, k)))]);
  const id = freshSymbol("arc_id", INT);
  const count = freshSymbol("arc_count", INT);
  const from = freshSymbol("arc_from", INT);
  const at = freshSymbol("arc_at", INT);
  const half = freshSymbol("arc_half", INT);
  const isIn = binary("&&", binary(">=", ident(at), intLit(0)), binary("<", ident(at), intLit(width)));
  const partner = binary("+", binary("+", ident(from), ident(at)), ident(half));
  const pairs = copies.map((c) =>
    eachElement(c, (k) => {
      const { copy, reduction } = c;
      const [a, b] = mapTuple(["a", "b"], (side) => freshSymbol(`${copy.name}_${side}`, reduction.type));
      const own = inCopy(c, part(copy, ident(at)), k);
      return [
        declare(a, own),
        declare(b, inCopy(c, part(copy, binary("+", ident(at), ident(half))), k)),
        exprStmt(reduction.combine(ident(a), ident(b))),
        exprStmt(assign(own, ident(a))),
      ];
    }),
  );
  const tree = forStmt(
    declare(half, intLit(width / 2)),
    binary(">", ident(half), intLit(0)),
    assign(ident(half), intLit(2), "/="),
    compound([
      ifStmt(
        binary(
          "&&",
          binary("&&", binary(">=", ident(at), intLit(0)), binary("<", ident(at), ident(half))),
          binary("<", partner, ident(count)),
        ),
        compound(pairs),
      ),
      meeting.barrier,
    ]),
  );
  const rounds = forStmt(
    declare(from, intLit(0)),
    binary("<", ident(from), ident(count)),
    assign(ident(from), intLit(width), "+="),
    compound([
      declare(at, binary("-", ident(id), ident(from))),
      ifStmt(isIn, compound(copies.map((c) => copied(c, part(c.copy, ident(at)), ident(c.copy))))),
      meeting.barrier,
      tree,
      ifStmt(
        binary("==", ident(at), intLit(0)),
        compound([
          ...copies.flatMap((c) => {
            const result = entryOf(first, c.copy);
            return [declare(result), copied(c, ident(result), part(c.copy, intLit(0)))];
          }),
          ...listed(last),
        ]),
      ),
      meeting.barrier,
    ]),
  );
  const after = compound([
    declare(id, call(ident(threadNumber), [])),
    declare(count, call(ident(threadCount), [])),
    rounds,
  ]);
  return { ofTeam: [...parts.values()], after: [after] };
}

/** The largest power of two that fits. */
function widthFor(bytes: number): number {
  let width = WIDEST;
  while (width > 1 && width * bytes > ROOM) width /= 2;
  return width;
}

const listed = (s: Stmt | undefined): readonly Stmt[] => (s ? [s] : []);
