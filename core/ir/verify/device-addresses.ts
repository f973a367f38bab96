/** Limits of `host_data`, `use_device_ptr` and `use_device_addr`: in their bodies, arrays are device pointers. */
import { canonical, walkStmt } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { IrNode } from "../model/ir.ts";

export function sizesOfAddresses(n: IrNode): Diagnostic[] {
  if (n.kind !== "host-data") return [];
  const found: Diagnostic[] = [];
  walkStmt(n.body, {
    expr(e) {
      const arg = e.kind === "sizeof" && e.arg ? stripImplicit(e.arg) : undefined;
      if (arg?.kind !== "ident" || canonical(arg.sym.type).kind !== "array") return;
      if (!n.variables.includes(arg.sym)) return;
      found.push({
        severity: "error",
        code: "size-of-address",
        loc: e.span.start,
        message: `'${arg.sym.name}' is an address of the device here, and this would be the size of a pointer`,
        remedy: `take the size in front of '${n.site.what}'`,
      });
    },
  });
  return found;
}
