/**
 * `task` and `taskloop` in a region: the thread that reaches one runs it immediately, which every dependence and every
 * later `taskwait` permits (OpenMP 5.2, section 12.5). Its private variables are copies.
 */

import { isScalar, printExpr } from "../../../lang/index.ts";
import type { Pragma, Stmt } from "../../../lang/tree/ast.ts";
import { compound, stripBlocks } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { begun } from "../../directives/copied.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { withCombined } from "../own/reductions.ts";
import { olderDepend } from "../selectors/host-words.ts";

export function task(reading: Reading, d: Directive, body: Stmt): Stmt | undefined {
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
  const uses = usesOf(body);
  // Whether such a variable is shared depends on all enclosing constructs.
  const open = [...uses.of].find(
    ([sym, use]) =>
      use.written &&
      isScalar(sym.type) &&
      !listed.has(sym) &&
      !uses.declared.has(sym) &&
      sym.scope !== "file",
  );
  if (open) {
    const [{ name }, use] = open;
    reading.report(
      "task-sharing",
      use.at.span.start,
      `the task changes '${name}', and no clause says whether it has a copy of it`,
      `write shared(${name}) or firstprivate(${name}) on 'task'`,
    );
    return undefined;
  }
  const first = new Set(of("firstprivate"));
  const { own, body: inner } = ownCopies([...of("private"), ...first], body);
  const copies = [...own].flatMap(([from, to]) => begun(to, first.has(from) ? from : undefined));
  return withCombined(d, compound([...copies, inner], body.span));
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
