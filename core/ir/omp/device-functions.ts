/** Functions that run on a device: those of `declare target`, those that regions call, and their callees. */

import { walkStmt } from "../../lang/index.ts";
import type { External, FunctionDef, Pragma, Stmt, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { directives } from "./directive/grammar.ts";
import { isOmp, nameOf } from "./directive/parse.ts";
import { onHost } from "./selectors/context.ts";
import { meant } from "./selectors/metadirective.ts";
import type { Variants } from "./selectors/variants.ts";

export function deviceFunctions(
  { externals, scope }: TranslationUnit,
  variants: Variants,
): ReadonlySet<FunctionDef> {
  const bodies = new Map<Symbol, FunctionDef>();
  for (const e of externals) if (e.kind === "function") bodies.set(e.sym, e);
  const open = [...declared(externals)].flatMap((name) => scope.lookup(name) ?? []);
  for (const region of regionsOf({ externals })) open.push(...usesOf(region).calls.keys());
  const found = new Set<FunctionDef>();
  for (let sym = open.pop(); sym; sym = open.pop()) {
    open.push(...variants.onDevice(sym));
    const def = bodies.get(sym);
    if (!def || found.has(def)) continue;
    found.add(def);
    open.push(...usesOf(def.body).calls.keys());
  }
  return found;
}

/** Statements that run on the device. */
export function regionsOf({ externals }: Pick<TranslationUnit, "externals">): readonly Stmt[] {
  const found: Stmt[] = [];
  for (const e of externals)
    if (e.kind === "function")
      walkStmt(e.body, {
        stmt(s) {
          if (s.pragmas?.some(offloads)) found.push(s);
        },
        expr: () => false,
      });
  return found;
}

/** Functions called from code outside of regions, in functions that no region calls. */
export function hostCalls(
  { externals }: Pick<TranslationUnit, "externals">,
  onDevice: ReadonlySet<FunctionDef>,
): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  for (const e of externals)
    if (e.kind === "function" && !onDevice.has(e))
      walkStmt(e.body, {
        stmt: (s) => !s.pragmas?.some(offloads),
        expr(part) {
          if (part.kind === "ident" && part.sym.kind === "function") found.add(part.sym);
        },
      });
  return found;
}

/** Whether a construct runs its statement on the device. */
export function offloads(written: Pragma): boolean {
  const { pragma } = meant(written, onHost);
  if (!pragma) return false;
  const name = isOmp(pragma) ? nameOf(pragma) : undefined;
  return name !== undefined && directives[name]?.leaves[0] === "target";
}

/** Names in `declare target` lists, and functions defined or declared between `declare target` and its end. */
function declared(externals: readonly External[]): ReadonlySet<string> {
  const names = new Set<string>();
  let depth = 0;
  for (const e of externals) {
    if (e.kind === "function" && depth > 0) names.add(e.sym.name);
    if (e.kind === "decl" && depth > 0)
      for (const { sym } of e.decls) if (sym.kind === "function") names.add(sym.name);
    const name = e.kind === "pragma" && isOmp(e) ? nameOf(e) : undefined;
    if (e.kind !== "pragma" || !name?.endsWith("declare target")) continue;
    const list = listed(e);
    if (name === "end declare target") depth--;
    else if (name === "begin declare target" || list.length === 0) depth++;
    else for (const text of list) names.add(text);
  }
  return names;
}

/** The names in the lists of a `declare target`, not those of its clauses. */
function listed({ tokens }: Pragma): readonly string[] {
  const found: string[] = [];
  let clause = "";
  let depth = 0;
  for (const { kind, text } of tokens.slice(3)) {
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (kind === "ident" && depth === 0) clause = text;
    else if (kind === "ident" && !["device_type", "indirect"].includes(clause)) found.push(text);
  }
  return found;
}
