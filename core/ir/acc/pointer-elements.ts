/** `delete(rows[k])` names a pointer: what it leads to stays where it is. */
import { canonical } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { Directive } from "../directives/directive.ts";
import { clauseAliases } from "./grammar.ts";

/** Clauses that move data, or say that it is there. */
const ofData: ReadonlySet<string> = new Set([
  ...["copy", "copyin", "copyout", "create", "delete", "present", "no_create"],
  ...["self", "host", "device"],
]);

export function pointerElements({ clauses }: Directive): readonly Diagnostic[] {
  return clauses
    .filter(({ name }) => ofData.has(clauseAliases[name] ?? name))
    .flatMap(({ name, vars }) =>
      vars
        .filter(({ element }) => element && canonical(element.type).kind === "pointer")
        .map(({ loc, written }) => ({
          severity: "warning" as const,
          code: "pointer-element",
          loc,
          message: `'${name}(${written})' names the pointer itself, not what it leads to`,
          why: "an element of an array is a part of it of length 1 (OpenACC 3.3, section 2.7.1)",
          remedy: `say ${name}(${written}[0:n]) for the n elements behind it`,
        })),
    );
}
