/** Compute constructs: the offloaded code, its data and its launch width. */
import type { Stmt } from "../../lang/tree/ast.ts";
import { clause, type Directive, exprOf, site } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import { isDeclaredInside, ownArrays, withVariableArrays } from "../directives/own-arrays.ts";
import type { Reading } from "../directives/read-state.ts";
import type { Reductions } from "../directives/reductions.ts";
import { selected } from "../directives/selected.ts";
import { extStmt, type Spmd, type Task } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { defaultOf } from "./around.ts";
import { queueing } from "./clauses.ts";
import { items as itemsOf } from "./data.ts";

/** `asIs`: a combined construct whose loop, `body`, is left in order with its private variables. */
export function task(
  reading: Reading,
  reductionsOf: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
  { asIs = false }: { readonly asIs?: boolean } = {},
): Task {
  const vars = (name: string) => d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars);
  const size = (name: string) => exprOf(selected(reading, d, name));
  const construct = d.name.split(" ")[0] as "parallel" | "kernels" | "serial";
  const combined = d.name.endsWith("loop");
  const self = clause(d, "self");
  const defaults = defaultOf(d) ?? reading.around.defaultData;
  const firstprivates = vars("firstprivate");
  const gangs = withVariableArrays([], firstprivates, body);
  const own = combined ? { privates: [], body: gangs } : ownArrays(vars("private"), gangs);
  const { privates } = own;
  const { reductions, body: reduced } =
    combined && !asIs
      ? { reductions: [], body: gangs }
      : reductionsOf.of(d, own.body, source, { inOrder: asIs });
  // Each gang would run the loop and add its result.
  const once = asIs && reductions.length > 0;
  const [arrays, inOrder] = reductionsOf.takeArrays(reduced, privates, construct === "serial");
  const copied = firstprivates.filter(isDeclaredInside).map((v) => dataItem(v, "copied", {}));
  const items = [...itemsOf(d), ...copied];
  const mapped = new Set(items.map((i) => i.sym));
  const [teams, units, lanes] = [size("num_gangs"), size("num_workers"), size("vector_length")];
  const spmd = node<Spmd>({
    kind: "spmd",
    ...(teams && { numTeams: teams }),
    ...(units && { numUnits: units }),
    ...(lanes && { numLanes: lanes }),
    ...((construct === "serial" || inOrder || once) && { serial: true as const }),
    privates,
    firstprivates: firstprivates.filter((v) => !isDeclaredInside(v)).map((v) => v.sym),
    // Scalars of `kernels` keep what they are given.
    reductions: asIs && construct === "kernels" ? [] : reductions,
    body: reduced,
  });
  return node<Task>({
    kind: "task",
    flavour: "offload",
    construct,
    site: site(d, source),
    ...queueing(reading, d),
    ...(self && { self: exprOf(self) ?? "always" }),
    items: [...items, ...arrays.filter((v) => !mapped.has(v.sym)).map((v) => dataItem(v, "tofrom", {}))],
    ...(defaults && { defaultData: defaults }),
    body: extStmt(spmd, body.span),
  });
}
