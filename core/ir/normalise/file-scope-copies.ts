/**
 * Scalars with static storage that a region changes and that no clause names. In `parallel` and `serial`, the region has a
 * copy of each, as of local variables (OpenACC 3.3, section 2.6.2: `firstprivate`): what becomes of it ends with the region.
 *
 *     static int state = 7;
 *     parallel loop                               parallel firstprivate(state) loop
 *     for (i...) x[i] = state = step(state);  =>  for (i...) x[i] = state = step(state);
 *
 * Functions that the region calls would not see the copy. If one uses the variable, it stays one for the whole region.
 */

import { canonical, isScalar, type Stmt, type Symbol } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { type Use, usesOf } from "../analysis/access.ts";
import { definedFirst } from "../analysis/liveness.ts";
import { isConstant, isGlobal } from "../analysis/routines.ts";
import { isOpenMp, type Task } from "../model/ir.ts";
import { nodesIn } from "../model/nodes.ts";
import type { Program } from "../model/program.ts";

interface FileScopeCopies {
  readonly copies: readonly Symbol[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param named what clauses of the construct and of those around it name
 * @param inFunctions variables that functions called in the region use
 */
export function fileScopeCopies(
  task: Task,
  body: Stmt,
  named: ReadonlySet<Symbol>,
  inFunctions: () => ReadonlyMap<Symbol, Use>,
): FileScopeCopies {
  // OpenMP's front end has said so already. default(none) asks for a clause.
  if (task.construct === "kernels" || isOpenMp(task.site) || task.defaultData === "none")
    return { copies: [], diagnostics: [] };
  const { of, declared } = usesOf(body);
  const own = new Set(
    [...nodesIn(body, "loop")].flatMap((loop) => [
      ...loop.reductions.map((r) => r.sym),
      ...loop.headers.map((h) => h.var),
    ]),
  );
  const open = [...of].filter(
    ([sym]) => isGlobal(sym) && !named.has(sym) && !declared.has(sym) && !own.has(sym) && isCopyable(sym),
  );
  if (open.length === 0) return { copies: [], diagnostics: [] };
  const elsewhere = inFunctions();
  const isChanged = (use: Use | undefined) => use !== undefined && (use.written || use.addressTaken);
  const isShared = (sym: Symbol) => elsewhere.has(sym);
  return {
    copies: open.filter(([sym, use]) => isChanged(use) && !isShared(sym)).map(([sym]) => sym),
    diagnostics: open
      .filter(([sym, use]) => isShared(sym) && (isChanged(use) || isChanged(elsewhere.get(sym))))
      .map(([sym, use]) => oneForAll(sym, use)),
  };
}

const isCopyable = (sym: Symbol): boolean =>
  isScalar(sym.type) && canonical(sym.type).kind !== "pointer" && !isConstant(sym.type);

const oneForAll = ({ name }: Symbol, { at }: Use): Diagnostic => ({
  severity: "warning",
  code: "shared-with-function",
  loc: at.span.start,
  message: `all gangs and lanes share '${name}', and its value comes back: a function that the region calls uses it, too`,
  why: "OpenACC 3.3, section 2.6.2, gives the region a copy, which the function would not see",
  remedy: `say what is meant: copy(${name}) here, or hand the function '${name}' as an argument`,
});

/** Whether other functions may read a variable with static storage that a region left without its value. */
export const readElsewhere = ({ unit }: Program, sym: Symbol, except: Symbol): boolean =>
  unit.externals.some(
    (e) =>
      e.kind === "function" &&
      e.sym !== except &&
      usesOf(e.body).of.get(sym)?.read === true &&
      !definedFirst(e.body, sym),
  );
