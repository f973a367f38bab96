/** Which of a kernel's buffers no other parameter leads to. */
import { canonical } from "../../../core/lang/index.ts";
import type { Kernel, KernelParam } from "../device/device.ts";

/**
 * `restrict` may be written where this is known and nowhere else.
 * Variables of the program are objects of their own; restrict pointers share nothing that is written;
 * what no one writes may be shared freely.
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
