/** Pointers that flow into each other, and the memory that they lead to, as classes that are joined (union-find). */

export type Space = "__global" | "__local" | "__constant" | "";

interface Joined<T> {
  parent: T | undefined;
}

/** Paths are halved as they are walked (R. E. Tarjan and J. van Leeuwen, JACM 1984). */
function rootOf<T extends Joined<T>>(node: T): T {
  let at = node;
  for (let up = at.parent; up; up = at.parent) {
    at.parent = up.parent ?? up;
    at = at.parent;
  }
  return at;
}

/** The space of some memory; those that are found to be the same one are joined. */
export class Memory {
  parent: Memory | undefined;
  private own: Space | undefined;

  constructor(space?: Space) {
    this.own = space;
  }

  get space(): Space | undefined {
    return rootOf<Memory>(this).own;
  }

  /** False where they cannot be the same. */
  join(other: Memory): boolean {
    const [a, b] = [rootOf<Memory>(this), rootOf(other)];
    if (a === b) return true;
    if (a.own !== undefined && b.own !== undefined && a.own !== b.own) return false;
    b.own ??= a.own;
    a.parent = b;
    return true;
  }
}

/** Bytes of some memory, `to` one past the last, that are known to hold pointers. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  readonly pointers: Pointers;
  /** Slots of what the pointers lead to, by their type; the same ones each time. */
  readonly inside: () => readonly Slot[];
}

/** Pointers that flow into each other. */
export class Pointers {
  parent: Pointers | undefined;
  readonly memory: Memory;
  private held: Pointers | undefined;
  private readonly slots = new Set<Slot>();

  /** `held`: the pointers in the memory that these lead to. */
  constructor(memory = new Memory(), held?: Pointers) {
    this.memory = memory;
    this.held = held;
  }

  /** The pointers in the memory that these lead to, where it is that of pointers. */
  inside(): Pointers {
    const root = rootOf<Pointers>(this);
    root.held ??= new Pointers();
    return root.held;
  }

  /** False where the memories that they lead to cannot be the same. */
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
   * The memory is accessed by way of a type that has `slots`, maybe beside others: what holds pointers at the same bytes
   * holds the same ones. False where they cannot be.
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

  /** What is copied from the memory of the one to that of the other, byte by byte. */
  copiedTo(other: Pointers): boolean {
    const [mine, theirs] = [[...rootOf<Pointers>(this).slots], [...rootOf(other).slots]];
    const there = other.seenAs(mine);
    return this.seenAs(theirs) && there;
  }
}
