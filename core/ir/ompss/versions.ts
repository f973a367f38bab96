/** `implements(f)`: the task is an alternative version of task f, with the same parameters and accesses. */
import { itemAt } from "../../checked/access.ts";
import { canonical, compatibleUnqualified, nearestName, printExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { substituteExpr } from "../../lang/tree/substitute.ts";
import type { Reading } from "../directives/read-state.ts";
import type { TaskAccess } from "../model/ir.ts";
import type { TaskFunction } from "../model/program.ts";
import type { TaskClause } from "./parse.ts";

/** The task that a clause names, or undefined after an error. */
export function implemented(
  reading: Reading,
  clause: TaskClause,
  own: Symbol,
  functions: ReadonlyMap<Symbol, TaskFunction>,
): TaskFunction | undefined {
  const name = clause.words[0] ?? "";
  const found = [...functions.values()].find(({ sym }) => sym.name === name);
  const refuse = (message: string, remedy: string): undefined => {
    reading.report("implements", clause.loc, message, remedy);
    return undefined;
  };
  if (!found) {
    const guess = nearestName(
      name,
      [...functions.keys()].map((sym) => sym.name),
    );
    return refuse(
      `'${name}' is no task before this place`,
      guess ? `did you mean '${guess}'?` : "declare it with '#pragma omp task' first",
    );
  }
  if (found.implements)
    return refuse(
      `'${name}' is itself a version of '${found.implements.name}'`,
      `write implements(${found.implements.name})`,
    );
  const [type, expectedType] = [canonical(own.type), canonical(found.sym.type)];
  if (
    type.kind !== "function" ||
    expectedType.kind !== "function" ||
    !sameParameters(type.params, expectedType.params)
  )
    return refuse(
      `'${own.name}' has other parameters than '${name}'`,
      "give it the same parameters in the same order",
    );
  return found;
}

type Parameters = readonly { readonly type: Symbol["type"] }[];

const sameParameters = (a: Parameters, b: Parameters): boolean =>
  a.length === b.length && a.every((p, i) => compatibleUnqualified(p.type, itemAt(b, i).type));

/** The task's accesses, in terms of the version's parameters. */
export function accessesFor(of: TaskFunction, params: readonly Symbol[]): readonly TaskAccess[] {
  const by = new Map(
    of.params.flatMap((p, i): [Symbol, Expr][] => {
      const renamed = params[i];
      return renamed ? [[p, ident(renamed)]] : [];
    }),
  );
  const put = (e: Expr) => substituteExpr(e, by);
  return of.accesses.map((a) => ({
    ...a,
    object: put(a.object),
    section: a.section.map((d) => ({
      ...(d.start && { start: put(d.start) }),
      ...(d.length && { length: put(d.length) }),
    })),
  }));
}

/** Reports clauses of a version that differ from the task's. */
export function refuseOthers(
  reading: Reading,
  of: TaskFunction,
  own: readonly TaskAccess[],
  params: readonly Symbol[],
): void {
  const described = ({ mode, object, section }: TaskAccess) =>
    [mode, object, ...section.flatMap((d) => [d.start, d.length])]
      .map((e) => (typeof e === "string" ? e : e ? printExpr(e) : ""))
      .join(" ");
  const expectedAccesses = accessesFor(of, params).map(described);
  const other = own.find((a) => !expectedAccesses.includes(described(a)));
  if (!other && (own.length === 0 || own.length === expectedAccesses.length)) return;
  const at = other ?? own[0];
  if (!at) return;
  reading.report(
    "version-differs",
    at.loc,
    `the task '${of.sym.name}' says otherwise of its memory than this version`,
    "leave the clauses out here: those of the task count for all its versions",
  );
}
