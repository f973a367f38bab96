/** Headers of other compilers in the place of arc's. */
import type { Diagnostic, Scope } from "../../lang/tree/ast.ts";
import { deviceTypes } from "../model/device-types.ts";

/**
 * A warning if a file declares them with other values, as another compiler's openacc.h does. It takes the place of arc's
 * where the C compiler is a script that searches its own folder first.
 */
export function foreignDeviceTypes(file: Scope): readonly Diagnostic[] {
  for (const [type, ours] of Object.entries(deviceTypes)) {
    const name = `acc_device_${type}`;
    const declared = file.lookup(name);
    if (declared?.kind !== "enumerator" || declared.value === undefined || declared.value === BigInt(ours))
      continue;
    return [
      {
        severity: "warning",
        code: "foreign-header",
        loc: declared.span.start,
        message: `'${name}' is ${declared.value} in this header, and ${ours} for arc's runtime: the program will ask for other devices than it names`,
        remedy:
          "have the C compiler find arc's openacc.h first: no -I, CPATH or wrapper that names the folder of this one",
      },
    ];
  }
  return [];
}
