/**
 * `task` and `taskloop` in a region: the thread that reaches one runs it immediately, which every dependence and every
 * later `taskwait` permits (OpenMP 5.2, section 12.5). Its private variables are copies.
 */

import { INT, isArray, mapStmt, printExpr } from "../../../lang/index.ts";
import type { Diagnostic, Loc, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  binary,
  call,
  compound,
  declare,
  freshSymbol,
  ident,
  stripBlocks,
  stripImplicit,
} from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { unusedName } from "../../analysis/unused-name.ts";
import { begun } from "../../directives/copied.ts";
import { clause, type Directive, exprOf } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { ruleOf } from "../directive/parse.ts";
import { withCombined } from "../own/reductions.ts";
import { olderDepend } from "../selectors/host-words.ts";

export function task(reading: Reading, d: Directive, body: Stmt): Stmt {
  const of = (name: string) =>
    d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars.map((v) => v.sym));
  const listed = new Set(
    ["private", "firstprivate", "shared", "reduction", "in_reduction", "lastprivate", "linear"].flatMap(of),
  );
  for (let loop = body; loop.kind === "for"; loop = stripBlocks(loop.body)) {
    const header = countedHeader(loop);
    if ("severity" in header) break;
    listed.add(header.var);
  }
  const changed = changedVariables(body).filter(({ sym }) => !listed.has(sym));
  const isCopied = (sym: Symbol) => sharingOf(reading, d, sym) === "firstprivate";
  const { mapped } = reading.around.omp ?? {};
  const lost = changed.find(({ sym, byName }) => byName && mapped?.has(sym) && isCopied(sym));
  if (lost) reading.diagnostics.push(changesCopy(lost));
  const implicit = changed.flatMap(({ sym }) => (isCopied(sym) ? [sym] : []));
  const first = new Set([...of("firstprivate"), ...implicit]);
  const { own, body: inner } = ownCopies([...new Set([...of("private"), ...first])], body);
  const copies = [...own].flatMap(([from, to]) => begun(to, first.has(from) ? from : undefined));
  return withCombined(d, withFinal(d, compound([...copies, inner], body.span)));
}

/** What `omp_in_final` answers in the task and in those that it creates. */
function withFinal(d: Directive, body: Stmt): Stmt {
  const condition = exprOf(clause(d, "final"));
  const asked = condition && [...usesOf(body).calls.keys()].find(({ name }) => name === "omp_in_final");
  if (!asked) return body;
  const final = freshSymbol(unusedName("in_final", body), INT);
  const outside = binary("||", condition, call(ident(asked), []));
  const inside = mapStmt(body, {
    expr(e) {
      const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
      return callee?.kind === "ident" && callee.sym === asked ? ident(final) : e;
    },
  });
  return compound([declare(final, outside), inside], body.span);
}

interface Changed {
  readonly sym: Symbol;
  readonly at: Loc;
  /** By its name, and not only through its address. */
  readonly byName: boolean;
}

/** Automatic variables from outside that the code may change. */
function changedVariables(body: Stmt): readonly Changed[] {
  const uses = usesOf(body);
  return [...uses.of].flatMap(([sym, use]) => {
    const isAutomatic = sym.scope !== "file" && sym.storage !== "static" && sym.storage !== "extern";
    const byName = use.written || (isArray(sym.type) && use.elementsWritten);
    if (!isAutomatic || uses.declared.has(sym) || !(byName || use.addressTaken)) return [];
    return [{ sym, at: use.at.span.start, byName }];
  });
}

/** A program that maps a variable may expect that a task changes it. */
const changesCopy = ({ sym: { name }, at }: Changed): Diagnostic => ({
  severity: "warning",
  code: "task-copy",
  loc: at,
  message: `the task changes a copy of '${name}', and the mapped variable stays as it is`,
  why: "outside of 'parallel' no team of threads shares the variable (OpenMP 5.2, section 5.1.1); gcc and clang have it so",
  remedy: `write shared(${name}) on 'task' if it is to change the variable, or firstprivate(${name})`,
});

/**
 * Whether the task shares a variable that no clause names (OpenMP 5.2, section 5.1.1): what the threads of the `parallel`
 * construct around it share, or of the one that it is combined with. Where there is none, it has a copy, of variables that
 * `target` maps as well.
 */
function sharingOf({ around }: Reading, d: Directive, sym: Symbol): "shared" | "firstprivate" {
  const named = clause(d, "default")?.names[0];
  if (named?.endsWith("private")) return "firstprivate";
  if (named === "shared" || ruleOf(d).leaves.includes("parallel")) return "shared";
  return around.omp?.sharedByThreads?.has(sym) ? "shared" : "firstprivate";
}

/** Clauses of `target` constructs that belong to the target task. */
const ofTask = ["depend", "in_reduction", "priority"];

/**
 * The host task of a construct that does not wait, or that waits for tasks: OpenMP 5.2, section 13.8. Without host
 * threads, constructs run one after the other. If arc runs the program's tasks, those before it come first.
 */
export function targetTask(
  { hostThreads, runsTasks }: Reading,
  d: Directive,
): { hostTask?: string; afterTasks?: true } {
  // The construct is complete before the next task is created, so that waiting before it is enough.
  if (runsTasks()) return d.clauses.some((c) => c.name === "depend") ? { afterTasks: true } : {};
  const nowait = clause(d, "nowait");
  const own = hostThreads ? clausesOf(d.pragma, ofTask) : [];
  if (!hostThreads || (own.length === 0 && !nowait)) return {};
  const [condition] = nowait?.exprs ?? [];
  const deferred = condition && condition !== "*" ? [`if(${printExpr(condition)})`] : nowait ? [] : ["if(0)"];
  return { hostTask: [...own, ...deferred].join(" ") };
}

/** The text of some clauses. */
function clausesOf({ tokens }: Pragma, names: readonly string[]): string[] {
  const found: string[] = [];
  let depth = 0;
  let open = false;
  for (const { text } of olderDepend(tokens)) {
    if (depth === 0 && text !== "(") {
      open = names.includes(text);
      if (open) found.push("");
    }
    if (open) found.push(`${found.pop()}${text} `);
    if (text === "(") depth++;
    if (text === ")") depth--;
  }
  return found.map((text) => text.trim());
}
