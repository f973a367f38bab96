/**
 * Loop fusion: adjacent loops of a single work-item with equal iterations become one, so that one pipeline does the
 * work of both at the same time, if no iteration of the second needs what a later one of the first does.
 *
 *     for (i...) a[i] = f(i);  for (i...) b[i] = g(a[i]);   =>   for (i...) { a[i] = f(i); b[i] = g(a[i]); }
 */
import { itemAt } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { leavesEarly, withoutContinue } from "../../ir/analysis/control.ts";
import { interleaving } from "../../ir/dependence/dependence.ts";
import { asNode, type Loop } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { compatibleUnqualified, mapStmt, substitute } from "../../lang/index.ts";
import type { Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, ident } from "../../lang/tree/build.ts";
import { fuseAxis } from "./axes.ts";
import { distinct } from "./rewrite/aliasing.ts";
import { differentIterations } from "./rewrite/iterations.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, withBody } from "./rewrite/region.ts";

export const fuse: Pass = {
  name: "fuse",
  description: "loops that follow each other become one",
  axes: [fuseAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  if (choice.fuse !== true || !isSingle(task)) return { task, remarks: [] };
  const remarks: Remark[] = [];
  const note = (applied: boolean, message: string, loc: Loc) =>
    remarks.push({ pass: "fuse", applied, message, loc });
  const body = mapStmt(spmdOf(task).body, {
    stmt: (s) => (s.kind === "compound" ? { ...s, body: fusedList(s.body, note) } : s),
  });
  return { task: remarks.some((r) => r.applied) ? withBody(task, body) : task, remarks };
}

function fusedList(
  stmts: readonly Stmt[],
  note: (applied: boolean, message: string, loc: Loc) => void,
): readonly Stmt[] {
  const fused: Stmt[] = [];
  for (const s of stmts) {
    const before = fused.at(-1);
    const [first, second] = [before && asNode(before, "loop"), asNode(s, "loop")];
    if (!before || !first || !second) {
      fused.push(s);
      continue;
    }
    const result = together(first, second);
    if ("why" in result) {
      note(false, `two loops stay apart: ${result.why}`, result.loc);
      fused.push(s);
    } else {
      note(true, `one loop with that of line ${first.site.loc.line}`, second.site.loc);
      fused[fused.length - 1] = loopStmt(result, before);
    }
  }
  return fused;
}

interface Reason {
  readonly why: string;
  readonly loc: Loc;
}

function together(first: Loop, after: Loop): Loop | Reason {
  const { loc } = after.site;
  const unlike = differentIterations(first, after);
  if (unlike) return unlike;
  for (const [k, h] of first.headers.entries())
    if (!compatibleUnqualified(h.var.type, itemAt(after.headers, k).var.type))
      return { why: `'${h.var.name}' is of another type than the other loop's variable`, loc };
  if ((first.hints?.unroll ?? 1) !== (after.hints?.unroll ?? 1))
    return { why: "they are to be unrolled differently", loc };
  for (const { body } of [first, after]) {
    const early = leavesEarly(body);
    if (early) return { why: `control leaves one of them by '${early.kind}'`, loc: early.span.start };
  }
  const second = renamed(after, first);
  const scalar = sharedScalar(first, second) ?? sharedScalar(second, first);
  if (scalar) return { why: `both use '${scalar.name}', which one of them changes`, loc };
  const proof = interleaving(first, second, distinct);
  if ("why" in proof) return proof;
  const independent = [first, second].every((l) => l.parallel.independence === "independent") && proof.apart;
  const windows = [...(first.hints?.windows ?? []), ...(second.hints?.windows ?? [])];
  const unroll = first.hints?.unroll;
  return {
    ...first,
    parallel: { ...first.parallel, independence: independent ? "independent" : "seq" },
    privates: [...new Set([...first.privates, ...second.privates])],
    reductions: [...first.reductions, ...second.reductions],
    // What is known about one of them need not hold for both.
    hints: {
      ...(unroll !== undefined && { unroll }),
      ...(windows.length > 0 && { windows: unique(windows) }),
    },
    body: compound([withoutContinue(first.body), withoutContinue(second.body)].map(block), first.body.span),
  };
}

/** Renames the loop's variables to those of the other loop. */
function renamed(loop: Loop, like: Loop): Loop {
  const names = new Map(loop.headers.map((h, k) => [h.var, ident(itemAt(like.headers, k).var)] as const));
  return { ...loop, headers: like.headers, body: substitute(loop.body, names) };
}

/** A variable that `one` changes and the other uses, or of which only one has private copies. */
function sharedScalar(one: Loop, other: Loop): Symbol | undefined {
  const [a, b] = [usesOf(one.body).of, usesOf(other.body).of];
  const copied = one.privates.find((p) => b.has(p) && !other.privates.includes(p));
  if (copied) return copied;
  const bounds = usesOf(...one.headers.flatMap((h) => [h.lower, h.bound, h.step])).of;
  return [...a].find(
    ([sym, use]) => use.written && !one.privates.includes(sym) && (b.has(sym) || bounds.has(sym)),
  )?.[0];
}

const block = (s: Stmt): Stmt => (s.kind === "compound" ? s : compound([s], s.span));

const unique = <T extends { readonly input: Symbol }>(list: readonly T[]): readonly T[] =>
  list.filter((one, k) => list.findIndex((other) => other.input === one.input) === k);
