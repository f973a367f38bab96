/** What the present table must do, in the simplest terms: a list of mapped sections with two counts each. */

export const arrays = 4;
export const length = 16;
/** Fresh memory of the host back end, as an int. */
const poison = 0xa5a5a5a5 | 0;

type Clause = "copy" | "copyin" | "copyout" | "create" | "present" | "no_create" | "delete";
interface Section {
  readonly array: number;
  readonly low: number;
  readonly count: number;
}
interface Item extends Section {
  readonly map: Clause;
  readonly flag: "" | "finalize" | "zero" | "place";
  /** OpenMP's: one reference count for all directives, which each changes once. */
  readonly once?: true;
  /** The array is a structure, and the section a member: what a directive maps of it stays together. */
  readonly member?: true;
}
export interface Data extends Item {
  readonly do: "enter" | "exit" | "begin";
  /** Items of the directive in front of this one. */
  readonly also?: readonly Item[];
}
interface Update extends Section {
  readonly do: "update";
  readonly side: "self" | "device";
}
interface Kernel extends Section {
  readonly do: "add";
  readonly value: number;
}
export type Operation =
  | Data
  | Update
  | Kernel
  | { readonly do: "end" }
  | { readonly do: "set"; readonly array: number; readonly index: number; readonly value: number };

export function line(op: Operation): string {
  if (op.do === "end") return "end";
  if (op.do === "set") return `set ${op.array} ${op.index} ${op.value}`;
  const section = `${op.array} ${op.low} ${op.count}`;
  if (op.do === "update") return `update ${op.side} ${section}`;
  if (op.do === "add") return `add ${section} ${op.value}`;
  return [...(op.also ?? []).map((one) => `also ${item(one)}`), `${op.do} ${item(op)}`].join("\n");
}

const item = ({ map, array, low, count, flag, once, member }: Item): string =>
  `${map} ${array} ${low} ${count} ${flag}${once ? " once" : ""}${member ? " member" : ""}`;

const itemsOf = (op: Data): readonly Item[] => [...(op.also ?? []), op];

interface Entry {
  readonly start: number;
  readonly end: number;
  readonly values: number[];
  structured: number;
  dynamic: number;
  /** Directives that made it and counted it last. */
  readonly made: number;
  counted: number;
  /** What is counted together with it, itself included. */
  together: Set<Entry>;
}

/** The code of the error that ends the program. */
export class Refused extends Error {}

export class Model {
  readonly host = Array.from({ length: arrays * length }, (_, i) => i);
  #entries: Entry[] = [];
  readonly #empties = new Map<number, number>();
  #open: Data[] = [];
  #directives = 0;

  show(): string {
    const present = this.host.map((_, i) => (this.#holding(i) ? "P" : "-")).join("");
    return [present, ...this.host].join(" ");
  }

  get depth(): number {
    return this.#open.length;
  }

  apply(op: Operation): void {
    if (op.do === "enter") this.#enterAll(op, "dynamic");
    else if (op.do === "exit") this.#leaveAll(op, "dynamic");
    else if (op.do === "update") this.#update(op);
    else if (op.do === "add") this.#add(op);
    else if (op.do === "set") this.host[op.array * length + op.index] = op.value;
    else if (op.do === "begin") {
      this.#enterAll(op, "structured");
      this.#open.push(op);
    } else {
      const begun = this.#open.pop();
      if (begun) this.#leaveAll(begun, "structured");
    }
  }

  /** Whether a kernel on the section stays inside one entry: what a right program does. */
  holds(section: Section): boolean {
    const start = section.array * length + section.low;
    const entry = this.#holding(start);
    return !entry || start + section.count <= entry.end;
  }

  #holding(at: number): Entry | undefined {
    return this.#entries.find((entry) => entry.start <= at && at < entry.end);
  }

  #find(section: Section & { readonly flag?: Data["flag"] }): Entry | undefined {
    const start = section.array * length + section.low;
    if (section.flag === "place") return this.#holding(start);
    const end = start + section.count;
    const touching = this.#entries.filter((entry) => entry.start < end && start < entry.end);
    const whole = touching.find((entry) => entry.start <= start && end <= entry.end);
    if (touching.length && !whole) throw new Refused("partly-present");
    return whole;
  }

  #copy(entry: Entry, section: Section, side: "self" | "device"): void {
    const start = section.array * length + section.low;
    for (let i = start; i < start + section.count; i++) {
      if (side === "self") this.host[i] = entry.values[i - entry.start] as number;
      else entry.values[i - entry.start] = this.host[i] as number;
    }
  }

  #enterAll(op: Data, count: "structured" | "dynamic"): void {
    this.#directives++;
    const items = itemsOf(op);
    for (const [k, one] of items.entries()) this.#enter(one, items.slice(0, k), count);
  }

  #enter(op: Item, before: readonly Item[], count: "structured" | "dynamic"): void {
    const start = op.array * length + op.low;
    const place = op.flag === "place";
    if (place ? this.#empties.has(start) && !this.#holding(start) : !op.count) {
      this.#empties.set(start, (this.#empties.get(start) ?? 0) + 1);
      return;
    }
    let entry = this.#find(op);
    if (!entry) {
      if (op.map === "present") throw new Refused("not-present");
      if (op.map === "no_create") return;
      const fill = op.flag === "zero" ? 0 : poison;
      entry = {
        start,
        end: start + op.count,
        values: Array<number>(op.count).fill(fill),
        structured: 0,
        dynamic: 0,
        made: this.#directives,
        counted: 0,
        together: new Set(),
      };
      entry.together.add(entry);
      this.#entries.push(entry);
      if (op.map === "copy" || op.map === "copyin") this.#copy(entry, op, "device");
      this.#join(entry, op, before);
    }
    for (const each of this.#counting(op, entry)) each[count]++;
  }

  #join(entry: Entry, op: Item, before: readonly Item[]): void {
    if (!op.member) return;
    for (const other of before.toReversed()) {
      if (!other.member || other.array !== op.array) continue;
      const sibling = this.#holding(other.array * length + other.low);
      if (sibling?.made !== this.#directives) continue;
      sibling.together.add(entry);
      entry.together = sibling.together;
      return;
    }
  }

  /** The entries whose counts the item changes. */
  #counting(op: Item, entry: Entry): readonly Entry[] {
    if (!op.once) return [entry];
    const uncounted = [...entry.together].filter((each) => each.counted !== this.#directives);
    for (const each of uncounted) each.counted = this.#directives;
    return uncounted;
  }

  #leaveAll(op: Data, count: "structured" | "dynamic"): void {
    this.#directives++;
    const found = itemsOf(op)
      .toReversed()
      .map((one) => ({ one, entry: this.#leave(one, count) }));
    for (const { one, entry } of found)
      if (entry && isGone(entry) && (one.map === "copy" || one.map === "copyout"))
        this.#copy(entry, one, "self");
    this.#entries = this.#entries.filter((entry) => !isGone(entry));
  }

  #leave(op: Item, count: "structured" | "dynamic"): Entry | undefined {
    const start = op.array * length + op.low;
    const place = op.flag === "place";
    if (place ? !this.#holding(start) : !op.count) {
      const left = (this.#empties.get(start) ?? 0) - 1;
      if (left > 0) this.#empties.set(start, left);
      else this.#empties.delete(start);
      return undefined;
    }
    const entry = this.#find(op);
    if (!entry) return undefined;
    const other = count === "dynamic" ? "structured" : "dynamic";
    if (count === "dynamic" && op.flag === "finalize")
      for (const each of op.once ? entry.together : [entry]) {
        each[count] = 0;
        if (op.once) each[other] = 0;
      }
    else
      for (const each of this.#counting(op, entry)) {
        const from = op.once && !each[count] ? other : count;
        each[from] = Math.max(0, each[from] - 1);
      }
    return entry;
  }

  #update(op: Update): void {
    if (!op.count) return;
    const entry = this.#find(op);
    if (!entry) throw new Refused("not-present");
    this.#copy(entry, op, op.side);
  }

  #add(op: Kernel): void {
    if (!op.count) return; // nothing is launched
    const start = op.array * length + op.low;
    const entry = this.#holding(start);
    if (!entry && !this.#empties.has(start)) throw new Refused("not-present");
    if (!entry) return;
    for (let i = start; i < start + op.count; i++)
      entry.values[i - entry.start] = ((entry.values[i - entry.start] as number) + op.value) | 0;
  }
}

const isGone = ({ structured, dynamic }: Entry): boolean => !structured && !dynamic;
