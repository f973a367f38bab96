/** A loop on the device that is not distributed. */
import { walkStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import type { Rule } from "../model/finding.ts";
import { isCompute, placed } from "../read/constructs.ts";
import { clauseOf, type Directive, directivesOf } from "../read/directive.ts";

const name = "serial-on-device";

export const serialOnDevice: Rule = {
  name,
  severity: "warning",
  advice: true,
  summary: "the loops of a region run on one thread of the device, as no directive shares them out",
  page: {
    why: "One thread of a device is many times slower than one of the host.",
    bad: `void fill(double *a, int n) {
#pragma omp target map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    good: `void fill(double *a, int n) {
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
  },
  check: ({ functions }) =>
    functions.flatMap((def) =>
      placed(def).flatMap(({ directive, stmt }) => {
        if (!runsAlone(directive) || !loops(stmt) || sharesOut(stmt, directive)) return [];
        const acc = directive.language === "acc";
        return [
          {
            severity: "warning",
            code: name,
            certainty: "proved",
            advice: true,
            loc: directive.loc,
            message: `no directive shares out the loops of this '${directive.name}' region`,
            why: acc
              ? "each gang runs all of their iterations"
              : "one thread of the device runs all of their iterations",
            remedy: acc
              ? "put '#pragma acc loop' before a loop whose iterations are independent"
              : "write 'target teams distribute parallel for' before a loop whose iterations are independent",
          },
        ];
      }),
    ),
};

/** Constructs that distribute nothing by themselves; `serial` shows that it is intended. */
const runsAlone = (d: Directive): boolean =>
  isCompute(d) &&
  /^(parallel|target|target parallel|target teams)$/.test(d.name) &&
  clauseOf(d, "if") === undefined;

function loops(stmt: Stmt): boolean {
  let found = false;
  walkStmt(stmt, {
    stmt(s) {
      if (s.kind === "for") found = true;
      return !found;
    },
    expr: () => false,
  });
  return found;
}

/** A directive inside it distributes iterations, or a called function may. */
function sharesOut(stmt: Stmt, own: Directive): boolean {
  let found = false;
  walkStmt(stmt, {
    stmt(s) {
      if (directivesOf(s).some((d) => d !== own && !["data", "atomic", "update"].includes(d.name)))
        found = true;
      return !found;
    },
    expr(e) {
      const callee = e.kind === "call" && (e.callee.kind === "cast" ? e.callee.arg : e.callee);
      if (callee && callee.kind === "ident" && callee.sym.definition) found = true;
    },
  });
  return found;
}
