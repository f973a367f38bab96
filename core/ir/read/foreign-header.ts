/** Headers of other compilers in the place of arc's. */
import type { Diagnostic, Scope } from "../../lang/tree/ast.ts";
import { deviceTypes } from "../model/device-types.ts";

/**
 * A warning if a file declares them with other values, as another compiler's openacc.h does. It takes the place of arc's
 * where a file names it with its folder, or the C compiler is a script that gives its own folder by -I.
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
          "include <openacc.h>, and have the C compiler find arc's first: no path to this one, and no -I in a wrapper of the compiler",
      },
    ];
  }
  return [];
}
