/** Data items of variables that no clause names (OpenACC 3.3, sections 2.5.1 and 2.6.1). */
import { canonical, type Expr, isDataPointer, isScalar, printExpr, type Symbol } from "../../lang/index.ts";
import { ident } from "../../lang/tree/build.ts";
import type { Use } from "../analysis/access.ts";
import { definedFirst } from "../analysis/liveness.ts";
import { isConstant, isGlobal } from "../analysis/routines.ts";
import type { Access, DataItem, Mapping, Spmd, Task } from "../model/ir.ts";
import { holdsFunction } from "../model/pointed.ts";
import type { Context, Visible } from "./context.ts";

export interface Rule {
  readonly task: Task;
  readonly spmd: Spmd;
  readonly visible: Visible;
  readonly reduced: ReadonlySet<Symbol>;
  /** The variables that local copies stand for. */
  readonly copied: ReadonlyMap<Symbol, Symbol>;
  /** Variables of the region with the sizes of arrays, and where the launch finds these. */
  readonly sizes: ReadonlyMap<Symbol, Expr>;
  /** Pointers that nothing is read or written through. */
  readonly compared: ReadonlySet<Symbol>;
  readonly context: Context;
}

/** OpenACC 3.3, sections 2.5.1 (default) and 2.6.1 (implicitly determined attributes). */
export function implicit(
  sym: Symbol,
  use: Use,
  { task, spmd, visible, reduced, copied, sizes, compared, context }: Rule,
): DataItem | undefined {
  const origin = copied.get(sym) ?? sym;
  const type = canonical(sym.type);
  // Where a function is on the host stands for it on every device.
  const pointer = isDataPointer(type);
  const scalar = isScalar(sym.type) && !pointer;
  const around = visible.get(origin);
  const size = sizes.get(sym);
  const object: Expr = size ?? ident(origin, use.at.span);
  const make = (
    sharing: DataItem["sharing"]["is"],
    mapping: Mapping,
    section: DataItem["section"] = [],
  ): DataItem => {
    const item: DataItem = {
      sym,
      ...((size || origin !== sym) && { own: true as const }),
      object,
      section,
      written: size ? printExpr(size) : origin.name,
      sharing: { is: sharing, vis: "implicit" },
      mapping: { is: mapping, vis: "implicit" },
      access: "none",
      loc: task.site.loc,
    };
    return { ...item, access: accessOf(use, item) };
  };
  // A launch finds what a pointer leads to, which its value alone does not say on every device.
  if (spmd.firstprivates.includes(sym) && pointer) return make("shared", "no-create");
  if (spmd.firstprivates.includes(sym))
    return { ...make("firstprivate", "none"), sharing: { is: "firstprivate", vis: "explicit" } };
  if (task.defaultData === "none" && !around && !reduced.has(sym) && !isLeftOut(sym, context))
    context.diagnostics.push({
      severity: "error",
      code: "default-none",
      loc: use.at.span.start,
      message: `'${origin.name}' is used in a region with default(none), but no clause says what happens to it`,
      remedy: `add it to a data clause, or to private or firstprivate`,
    });
  const kept = around && !around.conditional;
  if (reduced.has(sym)) return make("shared", kept ? "present" : "tofrom");
  if (pointer && around && isGlobal(origin) && use.written)
    context.diagnostics.push({
      severity: "warning",
      code: "pointer-forgotten",
      loc: use.at.span.start,
      message: `the region changes where '${origin.name}' leads on the device, which ends with the region`,
      why: "each region begins with the place on the device that the host's pointer leads to",
      remedy: `set '${origin.name}' in each region that uses it, or count with an integer instead`,
    });
  if (around && around.object.kind === "ident") {
    if (around.mapping.is === "deviceptr") return make("shared", "deviceptr");
    if (kept || task.defaultData === "present") return make("shared", "present", around.section);
    if (pointer && around.section.length > 0) return make("shared", "tofrom", around.section);
    if (scalar) return make("shared", use.written ? "tofrom" : "to");
    const whole = make("shared", demoted(use, sym) ? "to" : "tofrom");
    if (!pointer) return { ...whole, mapping: { ...whole.mapping, inPart: true } };
  }
  // Assigned before every read, so there is nothing to transfer.
  const setFirst =
    isScalar(sym.type) && use.written && !use.addressTaken && !isGlobal(sym) && definedFirst(spmd.body, sym);
  // No region leaves anything in a pointer: it would lead to the device.
  if (setFirst && (pointer || task.construct !== "kernels")) return make("private", "none");
  if (pointer) return make("shared", compared.has(sym) ? "no-create" : "present");
  if (scalar) {
    const shared = (task.construct === "kernels" && use.written) || (isGlobal(sym) && use.written);
    return shared ? make("shared", "tofrom") : make("firstprivate", "none");
  }
  if (task.defaultData === "present") return make("shared", "present");
  if (type.kind === "array" && type.size === undefined)
    context.diagnostics.push({
      severity: "error",
      code: "unknown-size",
      loc: use.at.span.start,
      message: `'${origin.name}' is declared without a size: how much of it the region needs is not known`,
      remedy: `declare it with its size, or name the part in a clause, as in copyin(${origin.name}[0:n])`,
    });
  return make("shared", demoted(use, sym) ? "to" : "tofrom");
}

/**
 * Read-only arrays need not be copied back. Const-qualified ones must not be, even if a pointer to them is passed on.
 */
function demoted(use: Use, sym: Symbol): boolean {
  if (isConstant(sym.type)) return true;
  return !use.elementsWritten && !use.written && !use.addressTaken && canonical(sym.type).kind === "array";
}

/** Variables that `default(none)` does not ask for. */
function isLeftOut(sym: Symbol, { program }: Context): boolean {
  const isTable = isGlobal(sym) && canonical(sym.type).quals?.const === true;
  return isTable || holdsFunction(program.pointed, sym);
}

export function accessOf(use: Use | undefined, item: DataItem): Access {
  if (!use) return "none";
  const type = canonical(item.sym.type);
  const scalar = isScalar(type) && !isDataPointer(type);
  const read = scalar ? use.read : use.elementsRead || use.read;
  const written = scalar ? use.written : use.elementsWritten || use.written;
  return use.addressTaken || (read && written)
    ? "read-write"
    : written
      ? "write-only"
      : read
        ? "read-only"
        : "none";
}
