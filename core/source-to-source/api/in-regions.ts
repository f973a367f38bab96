/**
 * Routines of OpenMP that regions call: which team or thread one is, how many there are. OpenACC's device code has none,
 * and by OpenMP's header they would be the host's there, with another answer.
 */
import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Site } from "../sites/site.ts";
import { isDeviceRoutine } from "./openacc.ts";

const remedies: Readonly<Record<string, string>> = {
  omp_get_team_num: "share the work out by loops, whose variables say who does what",
  omp_get_thread_num: "share the work out by loops, whose variables say who does what",
};

/** `functions`: those that regions may call. */
export function askedInRegions(
  file: string,
  sites: readonly Site[],
  functions: Iterable<FunctionDef>,
): readonly Diagnostic[] {
  const regions = sites.flatMap(({ directive: { name }, stmt }): readonly Stmt[] =>
    stmt && /^target(?! data)\b/.test(name) ? [stmt] : [],
  );
  const found = new Map<string, Diagnostic>();
  for (const code of [...regions, ...[...functions].map(({ body }) => body)])
    walkStmt(code, {
      expr(e) {
        if (e.kind !== "call") return undefined;
        const callee = stripImplicit(e.callee);
        if (callee.kind !== "ident" || !/^omp_/.test(callee.sym.name) || isDeviceRoutine(callee.sym.name))
          return undefined;
        const loc = e.span.start;
        if (loc.file !== file) return undefined;
        found.set(`${loc.line}:${loc.col}`, {
          severity: "error",
          code: "not-translatable",
          loc,
          message: `OpenACC has no counterpart of '${callee.sym.name}' in code that regions run`,
          remedy: remedies[callee.sym.name] ?? "call it on the host, and give the region its value",
        });
        return undefined;
      },
    });
  return [...found.values()];
}
