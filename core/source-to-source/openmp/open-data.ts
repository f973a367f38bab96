/**
 * Data regions for which OpenMP's `target data` has no words: those that join a queue, and those that last to the end of
 * a function. A directive at their beginning and one at their end say the same:
 *
 *     data copyin(a) copyout(b) async(1)        target enter data map(to: a) map(alloc: b) nowait depend(inout: q[1])
 *     { ... }                             =>    { ... }
 *                                               target exit data map(release: a) map(from: b) nowait depend(inout: q[1])
 */
import { leavesEarly } from "../../ir/analysis/control.ts";
import { isBuiltin } from "../../ir/analysis/routines.ts";
import type { Clause } from "../../ir/directives/directive.ts";
import { walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { pairs } from "../sites/pairs.ts";
import {
  CannotSay,
  directive,
  type Inserted,
  type NewClause,
  type NewDirective,
  put,
  type Rewrite,
} from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { order } from "./clauses.ts";
import type { ToOpenMp } from "./context.ts";
import { canonicalName, eachOnce, isDataClause, mapClause } from "./data.ts";
import { isSteady } from "./kernels.ts";

/** What the two directives of a region move. */
interface OpenData {
  /** The clauses of a region with one directive. */
  readonly whole: readonly NewClause[];
  readonly enter: readonly NewClause[];
  readonly exit: readonly NewClause[];
  /** Assertions before it. */
  readonly before: readonly string[];
  readonly because: readonly string[];
}

const entering: Readonly<Record<string, string>> = { tofrom: "to", to: "to", from: "alloc", alloc: "alloc" };
const leaving: Readonly<Record<string, string>> = {
  tofrom: "from",
  from: "from",
  to: "release",
  alloc: "release",
};

/** The clauses of a data region. `stmt`: the directive at its end names its data again behind this statement. */
export function openData(site: Site, stmt: Stmt | undefined, { version }: ToOpenMp): OpenData {
  const whole: NewClause[] = [];
  const enter: NewClause[] = [];
  const exit: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [];
  for (const { c, from } of eachOnce(site)) {
    const name = canonicalName(c.name);
    if (!isDataClause(name)) continue;
    if (name === "deviceptr") {
      because.push(`deviceptr(${from.argument ?? ""}) is said by is_device_ptr of the regions inside`);
      continue;
    }
    const mapped = mapClause(site, c, from, version);
    before.push(...mapped.before);
    because.push(...mapped.because);
    whole.push(...mapped.clauses);
    if (stmt) refuseUnsteady(c, stmt);
    for (const { map, modifier, list } of mapped.maps) {
      const [first = "alloc", last = "release"] = [entering[map], leaving[map]];
      const isMoved = (type: string) => modifier !== "always, " || type === "to" || type === "from";
      enter.push(put(`map(${isMoved(first) ? modifier : ""}${first}: ${list})`, from));
      exit.push(
        put(`map(${modifier === "always, " && last === "from" ? modifier : ""}${last}: ${bare(list)})`),
      );
    }
  }
  return { whole, enter, exit, before, because };
}

/** Without the comment that keeps advice. */
const bare = (list: string): string => list.replace(/^\/\*.*?\*\/\s*/, "");

/** At the end of the region the clauses name what they named at its beginning. */
function refuseUnsteady({ vars }: Clause, stmt: Stmt): void {
  for (const v of vars) {
    const bounds = v.section.flatMap(({ start, length }) => [start, length].filter((e) => e !== undefined));
    const isPointed = v.section.length > 0 && canMove(v.object);
    if (isSteady([...bounds, ...(isPointed ? [v.object] : [])], stmt)) continue;
    throw new CannotSay(
      v.loc,
      `what '${v.written}' names may be another part at the end of the region, where OpenMP's 'exit data' has to name it again`,
      "put the pointer and the numbers of the section into local variables that the region leaves as they are",
    );
  }
}

const canMove = (object: Expr): boolean => {
  const inner = stripImplicit(object);
  return inner.kind !== "ident" || inner.type.kind !== "array";
};

/** `data` with `async` or `wait`. */
export function queuedData(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d, stmt } = site;
  const { clauses: queue, before, behind, because } = order(site, context.queues);
  if (!stmt) throw new CannotSay(d.loc, "a macro hides what the construct is for", "write it out");
  const early = leavesEarly(stmt);
  if (early)
    throw new CannotSay(
      early.span.start,
      "control leaves the data region here, before the directive that ends it in OpenMP",
      "let control reach the end of the region",
    );
  const repeated = d.clauses.filter((c) => ["if", "async"].includes(c.name)).flatMap((c) => c.exprs);
  if (
    !isSteady(
      repeated.filter((e): e is Expr => e !== "*"),
      stmt,
    )
  )
    throw new CannotSay(
      d.loc,
      "the condition or the queue may have another value at the end of the region, where OpenMP's 'exit data' needs it again",
      "put it into a local variable that the region leaves as it is",
    );
  const data = openData(site, stmt, context);
  const ofQueue = queue.filter(({ text }) => !text.startsWith("depend(in:"));
  const when = pairs(site).flatMap(({ c, from }) =>
    c.name === "if" ? [put(`if(${from.argument ?? ""})`, from)] : [],
  );
  const ends = (name: string, clauses: readonly NewClause[]): NewDirective => directive(name, clauses);
  const exit = ends("target exit data", [...when.map(({ text }) => put(text)), ...data.exit, ...ofQueue]);
  return {
    directives: data.enter.length > 0 ? [ends("target enter data", [...when, ...data.enter, ...queue])] : [],
    before: [...data.before, ...before],
    ...(behind.length > 0 && { behind }),
    after: data.enter.length > 0 ? [pragmaOf(exit), ...behind] : [],
    because: [
      ...data.because,
      ...because,
      "OpenMP's `target data` joins no queue: a directive at each end of the region does",
    ],
    kept: true,
  };
}

export const pragmaOf = ({ name, clauses }: NewDirective): string =>
  `#pragma omp ${name}${clauses.map(({ gap, text }) => gap + text).join("")}`;

/** `declare` in a function: data from there to the function's end. */
export function declareInFunction(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d, function: def } = site;
  if (!def) throw new CannotSay(d.loc, "a macro hides the function", "write it out");
  for (const c of d.clauses)
    if (["link", "deviceptr"].includes(canonicalName(c.name)))
      throw new CannotSay(
        c.loc,
        `'declare ${c.name}' of a function has no counterpart in OpenMP`,
        c.name === "link" ? "declare the variable where it is defined" : "write deviceptr on the regions",
      );
  const data = openData(site, def.body, context);
  const names = d.clauses.filter((c) => !["present", "create", "copyin"].includes(canonicalName(c.name)));
  const because = [...data.because, "the data stays on the device until the function ends"];
  if (data.enter.length === 0) return { directives: [], before: data.before, because, kept: true };
  const exit = directive("target exit data", data.exit);
  return {
    directives: [directive("target enter data", data.enter)],
    before: data.before,
    inside: endsOf(site, def.body, names, exit),
    because,
    kept: true,
  };
}

/** `exit data` before each `return` behind the directive, and where control reaches the function's end. */
function endsOf(site: Site, body: Stmt, copied: readonly Clause[], exit: NewDirective): readonly Inserted[] {
  const { loc } = site.directive;
  const found: Inserted[] = [];
  const isWithin = ({ span: { start, end } }: Stmt): boolean => start.line < loc.line && loc.line <= end.line;
  if (body.kind !== "compound" || body.body.some(isWithin))
    throw new CannotSay(
      loc,
      "the data lasts to the function's end, and OpenMP's construct would end with the block around",
      "write the directive at the function's outermost level",
    );
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "goto")
        throw new CannotSay(
          s.span.start,
          "a jump in a function with 'declare' data: where the data ends is not followed",
          "write the function without goto",
        );
      if (s.kind !== "return" || s.span.start.line < loc.line) return;
      if (s.value) refuseLate(s.value, copied);
      found.push({ stmt: s, directives: [exit], inBraces: true });
    },
    expr: () => false,
  });
  const last = body.body.at(-1);
  if (last && last.kind !== "return") found.push({ stmt: last, behind: true, directives: [exit] });
  return found;
}

/** A result that is computed behind the end of the data, where OpenACC computes it before. */
function refuseLate(e: Expr, copied: readonly Clause[]): void {
  const syms = new Set(copied.flatMap((c) => c.vars.map((v) => v.sym)));
  walkExpr(e, {
    expr(one) {
      const sym = one.kind === "ident" ? one.sym : undefined;
      const acts = one.kind === "call" && !(one.callee.kind === "ident" && isBuiltin(one.callee.sym));
      if (!acts && !(sym && syms.has(sym))) return;
      throw new CannotSay(
        one.span.start,
        "the result is computed while the declared data is on the device, and OpenMP's 'exit data' stands before it",
        "put it into a variable first",
      );
    },
  });
}
