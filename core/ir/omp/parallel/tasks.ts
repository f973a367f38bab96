/**
 * `task` and `taskloop` in a region: the thread that reaches one runs it immediately, which every dependence and every
 * later `taskwait` permits (OpenMP 5.2, section 12.5). Its private variables are copies.
 */

import { isArray, isScalar, printExpr } from "../../../lang/index.ts";
import type { Loc, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
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
  const changed = changedVariables(body).filter(({ sym }) => !listed.has(sym));
  const open = changed.find(
    ({ sym, byName }) => byName && isScalar(sym.type) && sharingOf(reading, d, sym) === undefined,
  );
  if (open) {
    const { sym, at } = open;
    reading.report(
      "task-sharing",
      at,
      `the task changes '${sym.name}', and no clause says whether it has a copy of it`,
      `write shared(${sym.name}) or firstprivate(${sym.name}) on 'task'`,
    );
    return undefined;
  }
  const implicit = changed.flatMap(({ sym }) => (sharingOf(reading, d, sym) === "firstprivate" ? [sym] : []));
  const first = new Set([...of("firstprivate"), ...implicit]);
  const { own, body: inner } = ownCopies([...new Set([...of("private"), ...first])], body);
  const copies = [...own].flatMap(([from, to]) => begun(to, first.has(from) ? from : undefined));
  return withCombined(d, compound([...copies, inner], body.span));
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

/**
 * Whether the task shares a variable that no clause names (OpenMP 5.2, section 5.1.1): it has a copy of what the thread
 * has for itself. Undefined if that depends on what `target` maps.
 */
function sharingOf({ around }: Reading, d: Directive, sym: Symbol): "shared" | "firstprivate" | undefined {
  const named = clause(d, "default")?.names[0];
  if (named === "shared" || named === "firstprivate") return named;
  const { sharedByThreads, routine } = around.omp ?? {};
  if (sharedByThreads) return sharedByThreads.has(sym) ? "shared" : "firstprivate";
  return routine ? "firstprivate" : undefined;
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
