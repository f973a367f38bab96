/** The buffers of a kernel that no other parameter points to. */
import { canonical } from "../../../core/lang/index.ts";
import type { Kernel, KernelParam } from "../device/device.ts";

/**
 * `restrict` may be written only where this is known. Variables of the program are separate objects; restrict pointers
 * share nothing that is written; memory that is never written may be shared freely.
 */
export function apart(kernel: Kernel): ReadonlySet<KernelParam> {
  const buffers = kernel.params.filter((p) => p.pointer);
  const known = (p: KernelParam): boolean => {
    if (!("argument" in p.source)) return true;
    const { item, how } = p.source.argument;
    return (
      how === "object" || canonical(item.sym.type).kind === "array" || item.sym.type.quals?.restrict === true
    );
  };
  const written = (p: KernelParam): boolean =>
    !("argument" in p.source) || p.source.argument.item.access !== "read-only";
  const twoApart = (p: KernelParam, q: KernelParam): boolean =>
    p === q || (known(p) && known(q)) || (!written(p) && !written(q));
  return new Set(buffers.filter((p) => buffers.every((q) => twoApart(p, q))));
}
