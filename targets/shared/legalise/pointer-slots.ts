/** Where types hold pointers: other types may see these bytes. */

import { canonical, layoutOf, sizeOf } from "../../../core/lang/index.ts";
import type { CType, Field, RecordDecl } from "../../../core/lang/tree/ast.ts";
import type { Pointers, Slot } from "./pointer-classes.ts";

export class Slots {
  private readonly held: (field: Field) => Pointers;
  private readonly records = new Map<RecordDecl, readonly Slot[]>();
  /** Slots of memory that consists of pointers, by their target type. */
  private readonly entireSlots = new Map<Pointers, Map<string, Slot>>();

  /** `held`: the class of a member. */
  constructor(held: (field: Field) => Pointers) {
    this.held = held;
  }

  has(decl: RecordDecl): boolean {
    return this.records.has(decl);
  }

  ofRecord(decl: RecordDecl): readonly Slot[] {
    let known = this.records.get(decl);
    if (!known) {
      known = pointerMembers(decl).map(({ field, from, to, of }) =>
        this.slot(from, to, this.held(field), of),
      );
      this.records.set(decl, known);
    }
    return known;
  }

  /** Slots of the memory that `pointers` point to, seen as `type`. */
  behind(pointers: Pointers, type: CType): readonly Slot[] {
    const c = innermost(type);
    if (c.kind === "record") return this.ofRecord(c.decl);
    return c.kind === "pointer" ? [this.entireSlot(pointers.inside(), c.to)] : [];
  }

  private entireSlot(pointers: Pointers, to: CType): Slot {
    const known = this.entireSlots.get(pointers) ?? new Map<string, Slot>();
    this.entireSlots.set(pointers, known);
    const key = recordBehind(to);
    const slot = known.get(key) ?? this.slot(0, Infinity, pointers, to);
    known.set(key, slot);
    return slot;
  }

  private slot(from: number, to: number, pointers: Pointers, type: CType): Slot {
    let inside: readonly Slot[] | undefined;
    return {
      from,
      to,
      pointers,
      inside: () => {
        inside ??= this.behind(pointers, type);
        return inside;
      },
    };
  }
}

/** The record that a pointer points to, and the number of pointers in between. */
function recordBehind(type: CType, depth = 0): string {
  const c = innermost(type);
  if (c.kind === "pointer") return recordBehind(c.to, depth + 1);
  return `${depth} ${c.kind === "record" ? c.decl.id : ""}`;
}

interface PointerMember {
  /** As declared in its own record. */
  readonly field: Field;
  /** Byte range, `to` one past the last; of an array, that of all elements. */
  readonly from: number;
  readonly to: number;
  /** What it points to. */
  readonly of: CType;
}

/** Limit for arrays of records: the members of further elements are the same. */
const mostElements = 16;

/** Includes those of nested records. */
function pointerMembers(decl: RecordDecl): readonly PointerMember[] {
  const offsets = layoutOf(decl)?.offsets ?? [];
  return (decl.fields ?? []).flatMap((field, k) => {
    const from = (offsets[k] ?? 0) / 8;
    const to = from + (sizeOf(field.type) ?? Infinity);
    const c = innermost(field.type);
    if (c.kind === "pointer") return [{ field, from, to, of: c.to }];
    if (c.kind !== "record") return [];
    const size = sizeOf(c) || 1;
    const starts = Array.from(
      { length: Math.min((to - from) / size, mostElements) },
      (_, n) => from + n * size,
    );
    const inner = pointerMembers(c.decl);
    return starts.flatMap((at) => inner.map((m) => ({ ...m, from: at + m.from, to: at + m.to })));
  });
}

/** The element type of an array of any dimensions. */
export function innermost(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? innermost(c.of) : c;
}
