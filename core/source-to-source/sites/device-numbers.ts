/**
 * Numbers of devices: OpenACC's directives and routines are for the device that is chosen, OpenMP's may name one. What
 * names the one that is chosen anyway needs no number.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { evaluateInteger, walkStmt } from "../../lang/index.ts";
import type { Expr, External, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { CannotSay } from "./rewrite.ts";
import type { Site } from "./site.ts";

const roles = ["omp_get_default_device", "omp_get_initial_device"] as const;
type Role = (typeof roles)[number];

/** What a device number stands for: undefined if nobody knows. */
export type RoleOf = (e: Expr | undefined) => Role | undefined;

/** Variables of functions that are set once, by one of the two routines, in a source that chooses no other device. */
export function deviceNumbers(externals: readonly External[]): RoleOf {
  const of = new Map<Symbol, Role>();
  const chooses = choosesDevice(externals);
  for (const e of externals) {
    if (e.kind !== "function") continue;
    const { of: uses } = usesOf(e.body);
    walkStmt(e.body, {
      stmt(s) {
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls) {
          const role = init?.kind === "expr" ? called(init.expr) : undefined;
          const use = uses.get(sym);
          if (role && sym.storage !== "static" && !use?.written && !use?.addressTaken) of.set(sym, role);
        }
      },
      expr: () => false,
    });
  }
  return (e) => {
    const inner = e && stripImplicit(e);
    if (inner?.kind === "ident") {
      const role = of.get(inner.sym);
      return chooses && role === "omp_get_default_device" ? undefined : role;
    }
    return inner && called(inner);
  };
}

function called(e: Expr): Role | undefined {
  const inner = stripImplicit(e);
  const name = inner.kind === "call" && inner.callee.kind === "ident" ? inner.callee.sym.name : undefined;
  return roles.find((one) => one === name);
}

/** The first device is the one that is chosen where nothing chooses another. */
export function refuseOtherDevice({ directive: d, written }: Site, roleOf: RoleOf, isChosen: boolean): void {
  const at = d.clauses.findIndex((c) => c.name === "device");
  const [e] = d.clauses[at]?.exprs ?? [];
  if (!d.name.startsWith("target") || e === undefined || e === "*") return;
  if (roleOf(e) === "omp_get_default_device" || (!isChosen && evaluateInteger(e) === 0n)) return;
  throw new CannotSay(
    d.clauses[at]?.loc ?? d.loc,
    `device(${written.clauses[at]?.argument ?? ""}) may be another device than the one that OpenACC has chosen`,
    "choose it before, by omp_set_default_device, and leave the clause out",
  );
}

/** Whether the source chooses a device by number. */
export function choosesDevice(externals: readonly External[]): boolean {
  let found = false;
  const expr = (e: Expr): void => {
    if (e.kind === "call" && e.callee.kind === "ident")
      found ||= e.callee.sym.name === "omp_set_default_device";
  };
  for (const e of externals) if (e.kind === "function") walkStmt(e.body, { expr });
  return found;
}
