/**
 * Counters of loops with a directive are private to the loop (OpenACC 3.3, section 2.6.1; OpenMP 5.2, section 5.1.1).
 * If code outside of the loop uses the same variable, the loop gets a counter of its own. That of a `simd` loop has its
 * last value behind the loop, as in C (OpenMP 5.2, section 5.1.1: it is linear).
 */

import { mapChildren, substitute } from "../../lang/index.ts";
import type { Diagnostic, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, freshSymbol, ident } from "../../lang/tree/build.ts";
import { asNode, isOpenMp, type Loop } from "../model/ir.ts";
import { usesOf } from "./access.ts";
import { lastValue } from "./last-values.ts";
import { liveAfter } from "./liveness.ts";
import { unusedName } from "./unused-name.ts";

interface Separated {
  readonly body: Stmt;
  /** Warnings where code after a loop reads what it may expect to be the counter's last value. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `escapes`: whether the variable's value at the end of the body is used. */
export function ownCounters(
  body: Stmt,
  concerns: (sym: Symbol) => boolean,
  escapes: (sym: Symbol) => boolean = () => false,
): Separated {
  const diagnostics: Diagnostic[] = [];
  let result = body;
  for (const sym of countersIn(body)) {
    if (!concerns(sym)) continue;
    const here = result;
    const read = loopsOver(here, sym).filter(({ at }) => escapes(sym) || liveAfter(here, at, sym));
    const kept = new Map(read.flatMap(({ loop }) => lastOf(loop, sym) ?? []));
    if (kept.size === 0 && !usesOf(withoutLoopsOver(here, sym)).of.has(sym)) continue;
    const without = read.find(({ loop }) => !kept.has(loop));
    if (without) diagnostics.push(lost(without.loop, sym));
    result = separated(result, sym, unusedName(sym.name, result), kept);
  }
  return { body: result, diagnostics };
}

/** A `simd` loop, and the statement behind it that sets its variable. */
function lastOf(loop: Loop, sym: Symbol): [Loop, Stmt][] | undefined {
  const last = isOpenMp(loop.site) && loop.site.what === "simd" ? lastValue(loop, sym) : undefined;
  return last && [[loop, last]];
}

/**
 * Only loops with a directive: where arc distributes a loop by itself, it has proved that the counter is not read
 * afterwards.
 */
function counts(s: Stmt, sym?: Symbol): Loop | undefined {
  const loop = asNode(s, "loop");
  const own = loop?.headers.some((h) => !h.declares && (sym === undefined || h.var === sym));
  return own && loop?.site.pragma ? loop : undefined;
}

function loopsOver(s: Stmt, sym?: Symbol): readonly { readonly loop: Loop; readonly at: Stmt }[] {
  const loop = counts(s, sym);
  const found = loop ? [{ loop, at: s }] : [];
  mapChildren(s, (child) => {
    found.push(...loopsOver(child, sym));
    return child;
  });
  return found;
}

const countersIn = (s: Stmt): ReadonlySet<Symbol> =>
  new Set(loopsOver(s).flatMap(({ loop }) => loop.headers.filter((h) => !h.declares).map((h) => h.var)));

function withoutLoopsOver(s: Stmt, sym: Symbol): Stmt {
  if (counts(s, sym)) return { kind: "expr", span: s.span };
  return mapChildren(s, (child) => withoutLoopsOver(child, sym));
}

function separated(s: Stmt, sym: Symbol, name: string, kept: ReadonlyMap<Loop, Stmt>): Stmt {
  const loop = counts(s, sym);
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => separated(child, sym, name, kept));
  const own = freshSymbol(name, sym.type);
  const ext: Loop = {
    ...loop,
    headers: loop.headers.map((h) => (h.var === sym ? { ...h, var: own, declares: true } : h)),
    privates: loop.privates.filter((p) => p !== sym),
    body: substitute(loop.body, new Map([[sym, ident(own)]])),
  };
  const last = kept.get(loop);
  return last ? compound([{ ...s, ext }, last], s.span) : { ...s, ext };
}

const lost = ({ site }: Loop, { name }: Symbol): Diagnostic => ({
  severity: "warning",
  code: "lost-value",
  loc: site.loc,
  message: `'${name}' counts iterations in a variable of the loop: code behind it reads the value from before`,
  why: "the variable of a loop with a directive is private to what runs its iterations",
  remedy: `set '${name}' behind the loop`,
});
