/**
 * Counters of loops with a directive are private to the loop (OpenACC 3.3, section 2.6.1; OpenMP 5.2, section 5.1.1).
 * If code outside of the loop uses the same variable, the loop gets a counter of its own.
 */

import { mapChildren, substitute } from "../../lang/index.ts";
import type { Diagnostic, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, ident } from "../../lang/tree/build.ts";
import { asNode, type Loop } from "../model/ir.ts";
import { usesOf } from "./access.ts";
import { liveAfter } from "./liveness.ts";
import { unusedName } from "./unused-name.ts";

interface Separated {
  readonly body: Stmt;
  /** Warnings where code after a loop reads what it may expect to be the counter's last value. */
  readonly diagnostics: readonly Diagnostic[];
}

export function ownCounters(body: Stmt, concerns: (sym: Symbol) => boolean): Separated {
  const diagnostics: Diagnostic[] = [];
  let result = body;
  for (const sym of countersIn(body)) {
    if (!concerns(sym) || !usesOf(withoutLoopsOver(body, sym)).of.has(sym)) continue;
    const read = loopsOver(body, sym).find(({ at }) => liveAfter(body, at, sym));
    if (read) diagnostics.push(lost(read.loop, sym));
    result = separated(result, sym, unusedName(sym.name, result));
  }
  return { body: result, diagnostics };
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

function separated(s: Stmt, sym: Symbol, name: string): Stmt {
  const loop = counts(s, sym);
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => separated(child, sym, name));
  const own = freshSymbol(name, sym.type);
  const ext: Loop = {
    ...loop,
    headers: loop.headers.map((h) => (h.var === sym ? { ...h, var: own, declares: true } : h)),
    privates: loop.privates.filter((p) => p !== sym),
    body: substitute(loop.body, new Map([[sym, ident(own)]])),
  };
  return { ...s, ext };
}

const lost = ({ site }: Loop, { name }: Symbol): Diagnostic => ({
  severity: "warning",
  code: "lost-value",
  loc: site.loc,
  message: `'${name}' counts iterations in a variable of the loop: code behind it reads the value from before`,
  why: "the variable of a loop with a directive is private to what runs its iterations",
  remedy: `set '${name}' behind the loop`,
});
