/**
 * Arguments that only device code knows about: variables of other units, used by routines defined there. The region's
 * host code may have been translated before the routine was known and so does not pass them. The runtime finds them by
 * the names under which their own units register them.
 */

import { canonical } from "../../lang/index.ts";
import type { Diagnostic, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import type { Task } from "../model/ir.ts";
import { type Argument, argumentsOf } from "../model/region.ts";
import type { Use } from "./access.ts";
import type { Elsewhere } from "./routines.ts";

/** Variables that the region's own arguments do not include. */
export function argumentsElsewhere(
  task: Task,
  elsewhere: ReadonlyMap<Symbol, Elsewhere>,
): { readonly arguments: readonly Argument[]; readonly diagnostics: readonly Diagnostic[] } {
  const own = new Map(argumentsOf(task).map((a) => [a.sym, a] as const));
  const found: Argument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [sym, needed] of elsewhere) {
    const refuse = (why: string, remedy: string) =>
      diagnostics.push({
        severity: "error",
        code: "global-of-another-file",
        loc: needed.call.span.start,
        message: `'${needed.by}' of another file uses the variable '${sym.name}'`,
        why,
        remedy,
      });
    const argument = own.get(sym);
    const hidden = task.items.some((i) => i.sym === sym && i.sharing.is === "private");
    if (hidden || (argument && disagrees(argument, needed.use)))
      refuse(
        hidden
          ? `the region has '${sym.name}' as a private variable`
          : `the region itself uses '${sym.name}' too, and passes its value without knowing of '${needed.by}'`,
        `declare '${sym.name}' on the device in this file too: #pragma acc declare create(${sym.name})`,
      );
    else if (argument) continue;
    else if (needed.key === undefined)
      refuse(
        sym.scope === "file"
          ? "the other file does not bring the variable to the device"
          : "a static variable of a function has no name outside it",
        sym.scope === "file"
          ? `mark '${needed.by}' with '#pragma acc routine' in the file that defines it, and declare '${sym.name}' there with its size`
          : `move '${sym.name}' out of the function`,
      );
    else found.push(argumentOf(sym, needed, needed.key, task));
  }
  return { arguments: found, diagnostics };
}

/** The region passes the variable itself, but in a way that does not fit the routine's use. */
function disagrees(argument: Argument, use: Use): boolean {
  if (argument.item.mapping.is === "present") return false;
  const written = use.written || use.elementsWritten || use.addressTaken;
  return argument.how === "value" || (written && argument.item.mapping.is !== "tofrom");
}

function argumentOf(sym: Symbol, { use, by }: Elsewhere, key: string, task: Task): Argument {
  const kind = canonical(sym.type).kind;
  const written = use.written || use.elementsWritten || use.addressTaken;
  return {
    sym,
    name: sym.name,
    how: kind === "pointer" || kind === "array" ? "buffer" : "object",
    item: {
      sym,
      object: ident(sym),
      section: [],
      written: `${sym.name} of ${by}`,
      sharing: { is: "shared", vis: "implicit" },
      mapping: { is: "present", vis: "implicit" },
      access: written ? "read-write" : "read-only",
      loc: task.site.loc,
    },
    global: key,
  };
}
