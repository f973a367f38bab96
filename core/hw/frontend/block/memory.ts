/** Lvalues in memory: their addresses, and the order of loads and stores. */

import { itemAt } from "../../../checked/access.ts";
import { canonical, elementType, fieldOffset, sizeOf } from "../../../lang/index.ts";
import type { CType, Expr, Loc } from "../../../lang/tree/ast.ts";
import { addressDifference } from "../../dfg/affine.ts";
import { NotStraight } from "../../dfg/region.ts";
import { neverMeet } from "../../dfg/separation.ts";
import {
  BIT,
  type MemoryReference,
  type Shape,
  type Store,
  sameFormat,
  sameShape,
  type Value,
} from "../../dfg/value.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import { nameOf, stripped } from "../scope/syntax.ts";
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
  return {
    kind: "memory",
    address,
    memory: { bytes, roots: path.scope.pointers.rootsOf(e), name: nameOf(e), loc: e.span.start },
  };
}

/** The address of an lvalue in memory, requested at source position `at`. */
export function addressOf(path: Path, e: Expr, guard: Value, at = e.span.start): Value {
  const pointer: Shape = { bits: path.scope.addressBits, signed: false };
  switch (e.kind) {
    case "index": {
      const base = stripped(e.base);
      const from =
        canonical(base.type).kind === "array" && base.kind !== "ident"
          ? addressOf(path, base, guard)
          : path.value(base, guard);
      return offsetAddress(path, from, path.value(e.index, guard), sizeOf(e.type), at);
    }
    case "unary":
      if (e.op === "*") return path.value(e.arg, guard);
      break;
    case "cast":
      if (e.implicit) return addressOf(path, e.arg, guard, at);
      break;
    case "member": {
      const record = canonical(e.arrow ? (elementType(e.base.type) as CType) : e.base.type);
      const offset = record.kind === "record" ? fieldOffset(record.decl, e.name) : undefined;
      if (offset === undefined || e.field?.bits) throw unsupportedExpression("a bit-field", at);
      const from = e.arrow ? path.value(e.base, guard) : addressOf(path, e.base, guard);
      // The offset is in bits.
      return path.graph.make("add", pointer, [from, path.graph.constant(offset / 8, pointer)]);
    }
    case "ident":
      if (canonical(e.type).kind === "pointer") return path.value(e, guard);
      break;
  }
  throw unsupportedExpression("the address of a variable in a register", at);
}

export function offsetAddress(path: Path, from: Value, by: Value, bytes: number | undefined, at: Loc): Value {
  if (bytes === undefined) throw unsupportedExpression("a pointer to something of unknown size", at);
  const pointer: Shape = { bits: path.scope.addressBits, signed: false };
  const elements = path.graph.resize(by, pointer);
  const offset = path.graph.make("mul", pointer, [elements, path.graph.constant(bytes, pointer)]);
  return path.graph.make("add", pointer, [from, offset]);
}

/** Comparisons of addresses in one graph at most; more stores and loads take several steps. */
const MOST_COMPARISONS = 8;

/**
 * Reads memory. A step of the hardware reads first and writes last, so a value that the step itself stored at the same
 * address is taken from the store. If it is unknown whether they are the same element, their addresses are compared; if
 * they may overlap otherwise, the load needs a step of its own.
 */
export function read(
  path: Path,
  { address, memory }: { readonly address: Value; readonly memory: MemoryReference },
  shape: Shape,
  guard: Value,
): Value {
  const { graph } = path;
  const before = (count: number): Value => {
    for (let k = count - 1; k >= 0; k--) {
      const store = itemAt(graph.stores, k);
      if (!graph.mayTouch(store.memory, memory)) continue;
      const difference = addressDifference(address, store.address);
      if (
        difference !== undefined &&
        (difference >= BigInt(store.memory.bytes) || -difference >= BigInt(memory.bytes))
      )
        continue;
      const places = [
        { address, bytes: memory.bytes },
        { address: store.address, bytes: store.memory.bytes },
      ] as const;
      if (difference === undefined && neverMeet(graph, ...places, 0, () => undefined)) continue;
      const isWholeElement = (difference ?? 0n) === 0n && store.memory.bytes === memory.bytes;
      if (!isWholeElement || !sameFormat(store.data.shape, shape)) throw meeting(memory);
      const stored = graph.resize(store.data, shape);
      if (difference === undefined) {
        if (path.comparisons === MOST_COMPARISONS) throw meeting(memory);
        path.comparisons++;
        const same = graph.make("eq", BIT, [store.address, address]);
        return graph.mux(graph.and(store.guard, same), stored, before(k));
      }
      const always = store.guard === guard || store.guard.op === "const";
      return always ? stored : graph.mux(store.guard, stored, before(k));
    }
    return graph.load(memory, shape, address, guard);
  };
  return before(graph.stores.length);
}

const meeting = ({ name, loc }: MemoryReference): NotStraight =>
  new NotStraight(`'${name}' is read after a store that may change it`, loc);

/** Writes memory: a later store to the same address replaces an earlier one in the same step. */
export function write(path: Path, store: Store, at: Loc): void {
  const { stores } = path.graph;
  checkPort(path, store.memory, at);
  const k = stores.findLastIndex(({ memory }) => path.graph.mayTouch(memory, store.memory));
  const last = stores[k];
  if (last && isSamePlace(last, store)) stores.splice(k, 1, replaced(path, last, store));
  else stores.push(store);
}

function isSamePlace(a: Store, b: Store): boolean {
  return (
    a.memory.bytes === b.memory.bytes &&
    addressDifference(a.address, b.address) === 0n &&
    sameShape(a.data.shape, b.data.shape)
  );
}

function replaced({ graph }: Path, first: Store, second: Store): Store {
  const always = first.guard === second.guard || second.guard.op === "const";
  return {
    ...second,
    data: always ? second.data : graph.mux(second.guard, second.data, first.data),
    guard: always ? second.guard : graph.or(first.guard, second.guard),
  };
}

/** Stores that may overlap go through one port, in order: a port's elements have one size. */
function checkPort(path: Path, memory: MemoryReference, at: Loc): void {
  const other = path.graph.stores.find(
    (store) => store.memory.bytes !== memory.bytes && path.graph.mayTouch(store.memory, memory),
  );
  if (other)
    throw new NotStraight(
      `'${memory.name}' is stored after '${other.memory.name}' of another size, which may be the same memory`,
      at,
    );
}
