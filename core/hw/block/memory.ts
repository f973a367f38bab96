/** Lvalues in memory: their addresses, and the order of loads and stores. */
import type { CType, Expr, Loc } from "../../lang/ast.ts";
import { canonical, elementType, fieldOffset, sizeOf } from "../../lang/index.ts";
import { affineForm, constantDifference } from "../affine.ts";
import type { MemoryReference, Shape, Value } from "../graph.ts";
import { unsupportedExpression } from "../refusals.ts";
import { NotStraight } from "../region.ts";
import { nameOf, stripped } from "../syntax.ts";
import type { Path } from "./path.ts";

export interface InMemory {
  readonly kind: "memory";
  readonly address: Value;
  readonly memory: MemoryReference;
}

/** An lvalue of memory, at an address. */
export function inMemory(path: Path, e: Expr, address: Value): InMemory {
  const bytes = sizeOf(e.type);
  if (bytes === undefined) throw unsupportedExpression("an access of unknown size", e.span.start);
  const pointer = e.kind === "unary" ? e.arg : e;
  return {
    kind: "memory",
    address,
    memory: { bytes, roots: path.scope.pointers.rootsOf(pointer), name: nameOf(e), loc: e.span.start },
  };
}

/** The address of an lvalue in memory. */
export function addressOf(path: Path, e: Expr, guard: Value): Value {
  const at = e.span.start;
  const pointer: Shape = { bits: path.scope.addressBits, signed: false };
  switch (e.kind) {
    case "index": {
      const base = stripped(e.base);
      const from =
        canonical(base.type).kind === "array" && base.kind !== "ident"
          ? addressOf(path, base, guard)
          : path.value(base, guard);
      return moved(path, from, path.value(e.index, guard), sizeOf(e.type), at);
    }
    case "unary":
      if (e.op === "*") return path.value(e.arg, guard);
      break;
    case "cast":
      if (e.implicit) return addressOf(path, e.arg, guard);
      break;
    case "member": {
      const record = canonical(e.arrow ? (elementType(e.base.type) as CType) : e.base.type);
      const offset = record.kind === "record" ? fieldOffset(record.decl, e.name) : undefined;
      if (offset === undefined || e.field?.bits) throw unsupportedExpression("a bit-field", at);
      const from = e.arrow ? path.value(e.base, guard) : addressOf(path, e.base, guard);
      // In bits.
      return path.graph.make("add", pointer, [from, path.graph.constant(offset / 8, pointer)]);
    }
    case "ident":
      if (canonical(e.type).kind === "pointer") return path.value(e, guard);
      break;
  }
  throw unsupportedExpression("the address of a variable in a register", at);
}

export function moved(path: Path, from: Value, by: Value, bytes: number | undefined, at: Loc): Value {
  if (bytes === undefined) throw unsupportedExpression("a pointer to something of unknown size", at);
  const pointer: Shape = { bits: path.scope.addressBits, signed: false };
  const elements = path.graph.resize(by, pointer);
  const offset = path.graph.make("mul", pointer, [elements, path.graph.constant(bytes, pointer)]);
  return path.graph.make("add", pointer, [from, offset]);
}

/** In straight code memory is read before it is written: a load after a store needs a step of its own. */
export function checkEarlierStores(
  path: Path,
  target: { address: Value; memory: MemoryReference },
  at: Loc,
): void {
  for (const store of path.graph.stores) {
    if (!path.graph.mayTouch(store.memory, target.memory)) continue;
    const difference = constantDifference(affineForm(target.address), affineForm(store.address));
    const apart =
      difference !== undefined &&
      (difference >= BigInt(store.memory.bytes) || -difference >= BigInt(target.memory.bytes));
    if (!apart) throw new NotStraight(`'${target.memory.name}' is read after a store that may change it`, at);
  }
}

/** Stores that may meet go through one port, in their order: a port's elements are of one size. */
export function checkPort(path: Path, memory: MemoryReference, at: Loc): void {
  const other = path.graph.stores.find(
    (store) => store.memory.bytes !== memory.bytes && path.graph.mayTouch(store.memory, memory),
  );
  if (other)
    throw new NotStraight(
      `'${memory.name}' is stored after '${other.memory.name}' of another size, which may be the same memory`,
      at,
    );
}
