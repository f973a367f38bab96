/** `declare target`: functions become routines, variables are declared on the device. */

import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { canonical } from "../../lang/index.ts";
import type { DeclStmt, External, FunctionDef, Pragma, Symbol } from "../../lang/tree/ast.ts";
import { pairs } from "../sites/pairs.ts";
import {
  CannotSay,
  directive,
  type Inserted,
  type NewDirective,
  put,
  type Rewrite,
} from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenAcc } from "./context.ts";

export function declareTarget(site: Site, context: ToOpenAcc): Rewrite {
  const { directive: d } = site;
  if (d.name === "end declare target") return { directives: [] };
  const onlyHost = pairs(site).find(({ c }) => c.name === "device_type")?.c.names[0] === "host";
  const nohost = pairs(site).some(({ c }) => c.name === "device_type" && c.names[0] === "nohost");
  if (onlyHost)
    throw new CannotSay(d.loc, "OpenACC has no directive for functions of the host alone", "remove it");
  const extra = nohost ? [put("nohost")] : [];
  const listed = [
    ...(d.argument?.names ?? []).map((name) => ({ name, link: false })),
    ...d.clauses.flatMap((c) =>
      ["to", "enter", "link"].includes(c.name)
        ? c.names.map((name) => ({ name, link: c.name === "link" }))
        : [],
    ),
  ];
  if (listed.length > 0) {
    const directives: NewDirective[] = [];
    const inside: Inserted[] = [];
    for (const { name, link } of listed) {
      const sym = d.pragma.scope.lookup(name);
      if (sym && canonical(sym.type).kind === "function") {
        const place = placeOf(context.externals, sym);
        if (place?.span.start.file === context.file)
          inside.push({ stmt: place, directives: [directive("routine", [put("seq"), ...extra])] });
        else directives.push(directive(`routine(${name})`, [put("seq"), ...extra]));
      } else
        directives.push(
          directive("declare", [put(link ? `link(${name})` : `${variableClause(sym)}(${name})`)]),
        );
    }
    return { directives, inside };
  }
  const declaredAlready = new Set<Symbol>();
  return {
    directives: [],
    inside: between(site, context).flatMap((e) =>
      declared(e, extra.length > 0, declaredAlready, context.sites),
    ),
  };
}

/** The device copy has the initial value. */
const variableClause = (sym: Symbol | undefined): string => (sym ? "copyin" : "create");

/** Functions and variables for which `declare target` of the file speaks. */
export function declaredTargets(
  sites: readonly Site[],
  externals: readonly External[],
  file: string,
): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  for (const site of sites) {
    const { directive: d } = site;
    if (!d.name.endsWith("declare target") || d.name.startsWith("end")) continue;
    for (const name of [...(d.argument?.names ?? []), ...d.clauses.flatMap((c) => c.names)]) {
      const sym = d.pragma.scope.lookup(name);
      if (sym) found.add(sym);
    }
    for (const e of between(site, { externals, file }))
      for (const sym of e.kind === "function" ? [e.sym] : e.decls.map((one) => one.sym)) found.add(sym);
  }
  return found;
}

/** The text up to the directive's end. */
function between(
  { directive: { pragma } }: Site,
  { externals, file }: Pick<ToOpenAcc, "externals" | "file">,
): readonly (FunctionDef | DeclStmt)[] {
  const found: (FunctionDef | DeclStmt)[] = [];
  let depth = 0;
  const from = externals.findIndex((e) => e === pragma || ("pragmas" in e && e.pragmas?.includes(pragma)));
  const behind: readonly External[] = externals.slice(from);
  for (const e of behind) {
    if (e.kind === "pragma") {
      const words = e.tokens
        .slice(0, 4)
        .map((t) => t.text)
        .join(" ");
      if (words.startsWith("omp end declare target")) depth--;
      else if (/^omp (begin )?declare target(?! (to|enter|link|\())/.test(words)) depth++;
      if (depth === 0) break;
      continue;
    }
    if ((e.kind === "function" || e.kind === "decl") && e.span.start.file === file) found.push(e);
  }
  return found;
}

/**
 * Where `routine` of a function stands: before its first declaration, which uses may follow, and before directives of the
 * host that are for that declaration.
 */
export function placeOf(externals: readonly External[], sym: Symbol): External | Pragma | undefined {
  const at = externals.findIndex((e) => declares(e, sym));
  const first = externals[at];
  if (!first) return undefined;
  const own = "pragmas" in first ? first.pragmas?.find(isForDeclaration) : undefined;
  if (own) return own;
  let start = at;
  for (let e = externals[start - 1]; e?.kind === "pragma" && isForDeclaration(e); e = externals[start - 1])
    start--;
  return externals[start];
}

const declares = (e: External, sym: Symbol): boolean =>
  e.kind === "function"
    ? e.sym === sym
    : e.kind === "decl" && e.decls.length === 1 && e.decls[0]?.sym === sym;

const isForDeclaration = ({ tokens }: Pragma): boolean =>
  /^omp declare (simd|variant)$/.test(
    tokens
      .slice(0, 3)
      .map(({ text }) => text)
      .join(" "),
  );

/** Functions that share a loop out over teams are for all gangs. Others may be called by each lane. */
export const levelOf = (def: FunctionDef, sites: readonly Site[]): string =>
  sites.some((s) => s.function === def && ruleOf(s.directive).leaves.includes("distribute")) ? "gang" : "seq";

/** `declaredAlready`: variables of earlier declarations, of which one directive may speak. */
function declared(
  e: FunctionDef | DeclStmt,
  nohost: boolean,
  declaredAlready: Set<Symbol>,
  sites: readonly Site[],
): readonly Inserted[] {
  const routine = directive("routine", [
    put(e.kind === "function" ? levelOf(e, sites) : "seq"),
    ...(nohost ? [put("nohost")] : []),
  ]);
  if (e.kind === "function") return [{ stmt: e, directives: [routine] }];
  const objects = e.decls.filter(
    ({ sym }) => sym.kind === "var" && canonical(sym.type).kind !== "function" && !declaredAlready.has(sym),
  );
  for (const { sym } of objects) declaredAlready.add(sym);
  const functions = e.decls.some(
    ({ sym }) => canonical(sym.type).kind === "function" && sym.kind === "function",
  );
  const names = objects.map(({ sym }) => sym.name).join(", ");
  return [
    ...(functions ? [{ stmt: e, directives: [routine] }] : []),
    ...(objects.length > 0
      ? [{ stmt: e, directives: [directive("declare", [put(`copyin(${names})`)])], behind: true as const }]
      : []),
  ];
}
