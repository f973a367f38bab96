/**
 * Functions of other files that a region calls: their OpenMP directives were read only if that file marks them for
 * devices.
 */

import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Pragma } from "../../lang/tree/ast.ts";
import type { Task } from "../model/ir.ts";
import { isOmp } from "./directive/parse.ts";
import { needsTeam } from "./parallel/written-out.ts";

interface Called {
  readonly def: FunctionDef;
  /** Defined in another unit. */
  readonly external: boolean;
}

/** A `critical` or `atomic` left to the C compiler would be lost on the device. */
export function unreadElsewhere(task: Task, functions: Iterable<Called>): readonly Diagnostic[] {
  const { pragma } = task.site;
  if (!pragma || !isOmp(pragma)) return [];
  return [...functions].flatMap(({ def, external }): readonly Diagnostic[] => {
    const left = external ? firstDirective(def) : undefined;
    if (!left) return [];
    return [
      {
        severity: "error",
        code: "not-for-devices",
        loc: left.span.start,
        message: `a region in another file calls '${def.sym.name}', and this directive is not read for the device`,
        ...(needsTeam(left)
          ? {
              why: "what it means depends on the threads around the call, so that regions of the same file alone have its code",
              remedy: `define '${def.sym.name}' as a static function in a header that both files include`,
            }
          : {
              why: "its own file does not say that the function runs there",
              remedy: `write '#pragma omp declare target(${def.sym.name})' in this file too`,
            }),
        notes: [{ message: "the region is here", loc: task.site.loc }],
      },
    ];
  });
}

function firstDirective(def: FunctionDef): Pragma | undefined {
  let found: Pragma | undefined;
  walkStmt(def.body, {
    stmt(s) {
      found ??= s.pragmas?.find(isOmp);
    },
    expr: () => false,
  });
  return found;
}
