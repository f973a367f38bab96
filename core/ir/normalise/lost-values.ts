/** Values that a region changes and loses, and code after it that may read them. */
import { type Diagnostic, isScalar, type Stmt, type Symbol } from "../../lang/index.ts";
import { usesOf } from "../analysis/access.ts";
import { liveAfter } from "../analysis/liveness.ts";
import { reductionUse } from "../analysis/reductions.ts";
import { isGlobal } from "../analysis/routines.ts";
import { isOpenMp, type Task } from "../model/ir.ts";
import { spmdOf } from "../model/region.ts";
import type { Context } from "./context.ts";
import { readElsewhere } from "./file-scope-copies.ts";

/**
 * Scalars that a region changes without a clause and that are read after it: the change is lost with the region.
 *
 * @param task the region with its data items
 * @param requested what clauses of the region say
 */
export function lostValues(
  task: Task,
  requested: Task,
  at: Stmt,
  { def, program }: Context,
): readonly Diagnostic[] {
  const { body } = spmdOf(task);
  const written = usesOf(requested.body).of;
  const asked = new Set([...requested.items.map((i) => i.sym), ...spmdOf(requested).firstprivates]);
  const clause = isOpenMp(task.site) ? "map" : "copy";
  return task.items.flatMap(({ sym, sharing, access, object, loc }): readonly Diagnostic[] => {
    const origin = object.kind === "ident" ? object.sym : sym;
    const atFile = isGlobal(origin) && !asked.has(origin);
    const implicit = sharing.vis === "implicit" || atFile;
    const own = implicit && (sharing.is === "private" || sharing.is === "firstprivate");
    const changed = access === "write-only" || access === "read-write";
    if (!own || !changed || !isScalar(sym.type)) return [];
    if (!liveAfter(def.body, at, origin) && !(atFile && readElsewhere(program, origin, def.sym))) return [];
    const first = written.get(origin)?.at.span.start;
    const { op } = reductionUse(body, sym);
    return [
      {
        severity: "warning",
        code: "lost-value",
        loc: first !== undefined && first.line > 0 ? first : loc,
        message: `what this region does to '${sym.name}' is lost: code behind it reads the value from before`,
        why: "a scalar that no clause names is private to each gang or lane, and ends with the region",
        remedy: op === undefined ? `name it in ${clause}(${sym.name})` : `say reduction(${op}:${sym.name})`,
      },
    ];
  });
}

/** Whether code after a statement may read the value that it leaves in a variable. */
export function reading(at: Stmt, { def }: Context): LaterUses["reads"] {
  return (sym) =>
    isGlobal(sym) || usesOf(def.body).of.get(sym)?.addressTaken === true || liveAfter(def.body, at, sym);
}

/** Whether a variable's value at the end of a construct may be used later. */
export function escaping(task: Task, at: Stmt, context: Context): LaterUses["escapes"] {
  const named = new Set(task.items.map((i) => i.sym));
  const reads = reading(at, context);
  return (sym) => {
    // Gangs of `parallel` and `serial` have private scalars that end with the construct.
    if (task.construct !== "kernels" && isScalar(sym.type) && !named.has(sym) && !isGlobal(sym)) return false;
    return reads(sym);
  };
}

/** How code after a construct may use the final values of variables. */
export interface LaterUses {
  escapes(sym: Symbol): boolean;
  /** By the rules of plain C, whatever the construct is. */
  reads(sym: Symbol): boolean;
}
