/**
 * `taskloop`: the iterations of a loop in blocks, each of them a task (OpenMP 5.0, section 2.10.2).
 *
 *     taskloop grainsize(g)              { long count = iterations, block = g; T first = lower;
 *     for (i = lower; i < upper; i++)  =>  for (long next = 0; next < count; next += block)
 *       BODY                                 task { for (long k = next; k < next + block && k < count; k++) {
 *                                                     i = first + k; BODY } } }
 */
import { mapTuple } from "../../checked/tuples.ts";
import { canonical, isInteger, LONG, VOID, walkStmt } from "../../lang/index.ts";
import type { Expr, ForStmt, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  incdec,
  intLit,
} from "../../lang/tree/build.ts";
import { tripCount } from "../analysis/last-values.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import type { Reading } from "../directives/read-state.ts";
import { type ExplicitTask, extStmt, type LoopHeader, type TaskGroup } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { clausesOf, type TaskDirective } from "./parse.ts";
import { type Surrounding, sharingOf } from "./sharing.ts";
import { traitsOf } from "./traits.ts";

/** Number of tasks if no clause gives one. */
const TASKS = 64;

export function taskLoop(
  reading: Reading,
  d: TaskDirective,
  loop: Stmt,
  around: readonly Surrounding[],
): TaskGroup | undefined {
  const header = headerOf(reading, d, loop);
  if (!header) return undefined;
  const { body: written } = loop as ForStmt;
  refuseBreaks(reading, written);
  const long = (name: string): Symbol => freshSymbol(name, LONG);
  const [count, block, next, k] = mapTuple(["arc_count", "arc_block", "arc_next", "arc_k"], long);
  const first = freshSymbol("arc_first", header.var.type);
  const one = (name: string): Expr | undefined => clausesOf(d, name)[0]?.exprs[0];
  const tasks = cast(LONG, one("num_tasks") ?? intLit(TASKS));
  const size = one("grainsize");
  // Rounded up, and 1 where there are no iterations.
  const share = binary("+", binary("/", ident(count), tasks), intLit(1, LONG));
  const value = binary("+", ident(first), binary("*", cast(header.var.type, ident(k)), header.step));
  // The body may not use it.
  const set: readonly Stmt[] = header.declares
    ? [declare(header.var, value), exprStmt(cast(VOID, ident(header.var)))]
    : [exprStmt(assign(ident(header.var), value))];
  const iterations = forStmt(
    declare(k, ident(next)),
    binary(
      "&&",
      binary("<", ident(k), binary("+", ident(next), ident(block))),
      binary("<", ident(k), ident(count)),
    ),
    incdec("++", false, ident(k)),
    compound([...set, written], written.span),
  );
  const sharing = sharingOf(reading, d, iterations, around);
  const task = node<ExplicitTask>({
    kind: "explicit-task",
    site: { loc: d.loc, what: d.name, pragma: d.pragma, stmt: written },
    ...traitsOf(d),
    ...withPrivate(sharing, header),
    body: iterations,
  });
  const created = forStmt(
    declare(next, intLit(0, LONG)),
    binary("<", ident(next), ident(count)),
    assign(ident(next), ident(block), "+="),
    extStmt(task, loop.span),
  );
  const body = compound(
    [
      declare(first, header.lower),
      declare(count, tripCount(header)),
      declare(block, size ? cast(LONG, size) : share),
      created,
    ],
    loop.span,
  );
  return node<TaskGroup>({
    kind: "task-group",
    site: { loc: d.loc, what: d.name, pragma: d.pragma, stmt: loop },
    made: true,
    ...(clausesOf(d, "nogroup").length > 0 && { nogroup: true }),
    body,
  });
}

/** Undefined after an error. */
function headerOf(reading: Reading, d: TaskDirective, loop: Stmt): LoopHeader | undefined {
  const header = loop.kind === "for" ? countedHeader(loop) : undefined;
  if (!header) {
    reading.report(
      "expected-loop",
      d.loc,
      "'taskloop' is not followed by a for loop",
      "put it directly before one",
    );
    return undefined;
  }
  if ("severity" in header) {
    reading.diagnostics.push(header);
    return undefined;
  }
  if (isInteger(canonical(header.var.type))) return header;
  reading.report(
    "not-a-counted-loop",
    d.loc,
    `the loop variable '${header.var.name}' is no integer`,
    "count by an integer",
  );
  return undefined;
}

/** The loop's counter is private to each task. */
function withPrivate<S extends Pick<ExplicitTask, "privates" | "firstprivates" | "shareds">>(
  sharing: S,
  { var: sym, declares }: LoopHeader,
): S {
  const without = (list: readonly Symbol[]) => list.filter((other) => other !== sym);
  return {
    ...sharing,
    privates: [...without(sharing.privates), ...(declares ? [] : [sym])],
    firstprivates: without(sharing.firstprivates),
    shareds: without(sharing.shareds),
  };
}

/** A `break` would end only its task's block. */
function refuseBreaks(reading: Reading, body: Stmt): void {
  walkStmt(body, {
    stmt(s) {
      if (["for", "while", "do", "switch"].includes(s.kind)) return false;
      if (s.kind === "break")
        reading.report(
          "branch-out-of-loop",
          s.span.start,
          "'break' ends a loop whose iterations are tasks",
          "guard the rest of the body with a condition",
        );
      return true;
    },
  });
}
