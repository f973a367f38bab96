/** A region's argument list. It is decided here only; host code and kernels both follow it. */

import { canonical, isDataPointer } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { DataItem, Spmd, Task } from "./ir.ts";
import { asNode } from "./ir.ts";

export interface Argument {
  readonly sym: Symbol;
  /** Parameter name in the kernel. */
  readonly name: string;
  /**
   * buffer: a pointer, or an array passed as a pointer to its first element; object: the address of a
   * mapped scalar, struct or union; value: a copy; extent: elements in dimension `dim` of a
   * variable-length array.
   */
  readonly how: "buffer" | "object" | "value" | "extent";
  readonly item: DataItem;
  readonly dim?: number;
  /** A variable of another unit, by the name under which that unit registers it: see elsewhere.ts. */
  readonly global?: string;
}

/** The arguments of a normalised task, in the order of its data items. */
export function argumentsOf(task: Task): readonly Argument[] {
  const result: Argument[] = [];
  const seen = new Set<Symbol>();
  for (const item of task.items) {
    if (seen.has(item.sym) || item.access === "none" || item.sharing.is === "private") continue;
    seen.add(item.sym);
    const type = canonical(item.sym.type);
    const name = item.sym.name;
    if (item.sharing.is === "firstprivate") {
      result.push({ sym: item.sym, name, how: "value", item });
      continue;
    }
    const how = isDataPointer(type) || type.kind === "array" ? "buffer" : "object";
    result.push({ sym: item.sym, name, how, item });
    for (const dim of variableDims(item.sym))
      result.push({ sym: item.sym, name: `${name}_extent${dim}`, how: "extent", item, dim });
  }
  return result;
}

/** Dimensions (from 1, the first below the outermost) whose extent is known only at run time. */
export function variableDims(sym: Symbol): readonly number[] {
  const dims: number[] = [];
  let type = canonical(sym.type);
  type = canonical(type.kind === "pointer" ? type.to : type.kind === "array" ? type.of : type);
  for (let dim = 1; type.kind === "array"; dim++) {
    if (typeof type.size === "object") dims.push(dim);
    type = canonical(type.of);
  }
  return dims;
}

/** For a region that makes time steps: the variable with their number, and the body after its declaration. */
export function stepCount(spmd: Spmd): { readonly count: Symbol; readonly body: Stmt } | undefined {
  const { body, hints } = spmd;
  const [first, ...rest] = body.kind === "compound" ? body.body : [];
  const count = hints?.steps && first?.kind === "decl" ? first.decls[0]?.sym : undefined;
  return count && body.kind === "compound" ? { count, body: { ...body, body: rest } } : undefined;
}

export function spmdOf(task: Task): Spmd {
  return asNode(task.body, "spmd") as Spmd;
}

/** A region's name, which normalisation gives it. */
export function regionName({ region }: Task): string {
  if (region === undefined) throw new TypeError("the region has no name before it is normalised");
  return region;
}
