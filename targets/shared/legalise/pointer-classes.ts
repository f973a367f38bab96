/** Classes of pointers that flow into each other, and of the memory that they point to (union-find). */

export type Space = "__global" | "__local" | "__constant" | "";

interface Joined<T> {
  parent: T | undefined;
}

/** With path halving (R. E. Tarjan and J. van Leeuwen, JACM 1984). */
function rootOf<T extends Joined<T>>(node: T): T {
  let at = node;
  for (let up = at.parent; up; up = at.parent) {
    at.parent = up.parent ?? up;
    at = at.parent;
  }
  return at;
}

/** The address space of some memory; objects found to be the same memory are joined. */
export class Memory {
  parent: Memory | undefined;
  private own: Space | undefined;

  constructor(space?: Space) {
    this.own = space;
  }

  get space(): Space | undefined {
    return rootOf<Memory>(this).own;
  }

  /** False if their spaces differ. */
  join(other: Memory): boolean {
    const [a, b] = [rootOf<Memory>(this), rootOf(other)];
    if (a === b) return true;
    if (a.own !== undefined && b.own !== undefined && a.own !== b.own) return false;
    b.own ??= a.own;
    a.parent = b;
    return true;
  }
}

/** A byte range, `to` one past the last, known to hold pointers. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  readonly pointers: Pointers;
  /** Slots of the pointers' target, by its type; the same array each time. */
  readonly inside: () => readonly Slot[];
}

/** Pointers that flow into each other. */
export class Pointers {
  parent: Pointers | undefined;
  readonly memory: Memory;
  private held: Pointers | undefined;
  private readonly slots = new Set<Slot>();

  /** `held`: the pointers stored in the memory that these point to. */
  constructor(memory = new Memory(), held?: Pointers) {
    this.memory = memory;
    this.held = held;
  }

  /** The pointers stored in the memory that these point to, if it holds pointers. */
  inside(): Pointers {
    const root = rootOf<Pointers>(this);
    root.held ??= new Pointers();
    return root.held;
  }

  /** False if they point to different spaces. */
  join(other: Pointers): boolean {
    const [a, b] = [rootOf<Pointers>(this), rootOf(other)];
    if (a === b) return true;
    const same = a.memory.join(b.memory);
    a.parent = b;
    const inner = a.held;
    b.held ??= inner;
    const sameInside = !inner || b.inside().join(inner);
    return b.seenAs([...a.slots]) && sameInside && same;
  }

  /**
   * The memory is accessed through a type with `slots`, perhaps among others: slots of pointers at the same bytes
   * hold the same pointers. False if their spaces differ.
   */
  seenAs(slots: readonly Slot[]): boolean {
    let same = true;
    for (const slot of slots) {
      const known = rootOf<Pointers>(this).slots;
      if (known.has(slot)) continue;
      const beneath = [...known].filter(({ from, to }) => from < slot.to && slot.from < to);
      known.add(slot);
      for (const other of beneath) same = slot.pointers.heldAs(other) && other.pointers.heldAs(slot) && same;
    }
    return same;
  }

  private heldAs({ pointers, inside }: Slot): boolean {
    const same = this.join(pointers);
    return this.seenAs(inside()) && same;
  }

  /** The target's bytes are copied to the target of `other`. */
  copiedTo(other: Pointers): boolean {
    const [own, theirs] = [[...rootOf<Pointers>(this).slots], [...rootOf(other).slots]];
    const there = other.seenAs(own);
    return this.seenAs(theirs) && there;
  }
}
