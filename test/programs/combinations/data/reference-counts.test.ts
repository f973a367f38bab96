/**
 * How long data stays on the device when several list items of one construct name parts of it. OpenMP counts a
 * structure or array once for each construct, and what it mapped of a structure together stays together; OpenACC counts
 * each item.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  language: ["acc", "omp"],
  object: ["o.", "p->", "(*p).", "s[1].", "whole", "array"],
  first: ["two", "three", "all", "reversed", "one"],
  then: ["nothing", "enter all", "enter one", "data", "data of one", "region", "data around"],
  out: ["one by one", "at once", "at once, reversed", "the first, twice", "twice at once", "without count"],
} as const;

type Case = Row<typeof axes>;

/** What is counted together. */
interface Group {
  readonly parts: readonly string[];
  structured: number;
  dynamic: number;
}

const parts = { array: ["v[0:3]", "v[3:3]", "v[6:3]", "v[9:3]"], whole: ["o.a", "o.b", "o.c", "o.in.y"] };

function partsOf({ object, first }: Case): readonly string[] {
  const all =
    object === "array" || object === "whole"
      ? parts[object]
      : ["a", "b", "c", "in.y"].map((member) => `${object}${member}`);
  if (first === "reversed") return all.toReversed();
  return first === "all" ? all : first === "one" ? all.slice(1, 2) : all.slice(0, first === "two" ? 2 : 3);
}

/** Counts as the language has it, and a program that asks the runtime. */
class Counting {
  readonly lines: string[] = [];
  private groups: Group[] = [];
  private readonly isAcc: boolean;
  private readonly name: string;

  constructor(isAcc: boolean, name: string) {
    this.isAcc = isAcc;
    this.name = name;
  }

  map(items: readonly string[], of: (part: string) => Group): void {
    for (const part of items) if (!this.groupOf(part)) this.groups.push(of(part));
  }

  groupOf(part: string): Group | undefined {
    return this.groups.find((group) => group.parts.includes(part));
  }

  /** The groups that a construct counts: for OpenMP once. */
  private counted(items: readonly string[]): readonly Group[] {
    const found = items.flatMap((part) => this.groupOf(part) ?? []);
    return this.isAcc ? found : [...new Set(found)];
  }

  up(items: readonly string[], count: "structured" | "dynamic"): void {
    for (const group of this.counted(items)) group[count]++;
  }

  down(items: readonly string[], count: "structured" | "dynamic"): void {
    for (const group of this.counted(items)) {
      const other = count === "structured" ? "dynamic" : "structured";
      const from = !this.isAcc && group[count] === 0 ? other : count;
      group[from] = Math.max(0, group[from] - 1);
    }
    this.removeUncounted();
  }

  clear(items: readonly string[]): void {
    for (const group of this.counted(items)) {
      group.dynamic = 0;
      if (!this.isAcc) group.structured = 0;
    }
    this.removeUncounted();
  }

  private removeUncounted(): void {
    this.groups = this.groups.filter((group) => group.structured + group.dynamic > 0);
  }

  show(all: readonly string[]): void {
    const places = all.map((part) => {
      const place = part.startsWith("v[") ? `&${part.slice(0, part.indexOf(":"))}]` : `&${part}`;
      return `there_${this.name}(${place}, ${this.groupOf(part) ? 1 : 0})`;
    });
    this.lines.push(
      `  printf("${this.name} ${this.lines.length}${" %d".repeat(all.length)}\\n", ${places.join(", ")});`,
    );
  }
}

function functionOf(row: Case, name: string): string {
  const { language, object, then, out } = row;
  const isAcc = language === "acc";
  const named = partsOf(row);
  const [one] = named as [string];
  const counting = new Counting(isAcc, name);
  const { lines } = counting;
  const say = (text: string) => lines.push(text);
  const show = () => counting.show(named);
  const enter = (items: readonly string[]): void => {
    const list = items.join(", ");
    say(isAcc ? `#pragma acc enter data copyin(${list})` : `#pragma omp target enter data map(to: ${list})`);
    counting.up(items, "dynamic");
    show();
  };
  const exit = (items: readonly string[]): void => {
    const list = items.join(", ");
    say(
      isAcc ? `#pragma acc exit data delete(${list})` : `#pragma omp target exit data map(release: ${list})`,
    );
    counting.down(items, "dynamic");
    show();
  };
  const around = (items: readonly string[], inside: () => void): void => {
    const list = items.join(", ");
    say(isAcc ? `#pragma acc data copyin(${list})\n  {` : `#pragma omp target data map(to: ${list})\n  {`);
    counting.up(items, "structured");
    inside();
    say("  }");
    counting.down(items, "structured");
    show();
  };

  const begun = { array: ["v"], whole: ["o"] }[object as string];
  const whole: Group = { parts: named, structured: 0, dynamic: 0 };
  const alone = (part: string): Group => ({ parts: [part], structured: 0, dynamic: 0 });
  counting.map(named, begun || !isAcc ? () => whole : alone);
  if (begun) {
    say(
      isAcc ? `#pragma acc enter data copyin(${begun})` : `#pragma omp target enter data map(to: ${begun})`,
    );
    whole.dynamic = 1;
    show();
  } else enter(named);

  const leave = (): void => {
    if (out === "one by one") for (const part of named) exit([part]);
    if (out === "at once" || out === "twice at once") exit(named);
    if (out === "twice at once") exit(named);
    if (out === "at once, reversed") exit(named.toReversed());
    if (out === "the first, twice") for (const part of [one, one]) exit([part]);
    if (out === "without count") {
      say(
        isAcc
          ? `#pragma acc exit data delete(${one}) finalize`
          : `#pragma omp target exit data map(delete: ${one})`,
      );
      counting.clear([one]);
      show();
    }
  };
  if (then === "enter all") enter(named);
  if (then === "enter one") enter([one]);
  if (then === "data") around(named, show);
  if (then === "data of one") around([one], show);
  if (then === "region") {
    const list = named.join(", ");
    const place = one.startsWith("v[")
      ? `${one.slice(0, one.indexOf(":"))}]`
      : one.endsWith("y") || one.endsWith("c")
        ? `${one}[0]`
        : one;
    say(isAcc ? `#pragma acc serial copyin(${list})` : `#pragma omp target map(to: ${list})`);
    say(`  ${place} = ${place} + 0;`);
    show();
  }
  if (then === "data around") around(named, leave);
  else leave();
  return `struct s_${name} { int a; double b; int c[4]; struct { int x; int y[3]; } in; };
extern int acc_is_present(void *, size_t) __attribute__((weak));
extern int omp_target_is_present(const void *, int) __attribute__((weak));
static int there_${name}(void *place, int expected) {
  return ${isAcc ? "acc_is_present ? acc_is_present(place, 1)" : "omp_target_is_present ? omp_target_is_present(place, 0)"} : expected;
}
static void ${name}(void) {
  static struct s_${name} o = {1, 2, {3}, {4, {5}}}, s[2] = {{1, 2, {3}, {4, {5}}}, {1, 2, {3}, {4, {5}}}}, *p = &o;
  static int v[12] = {7};
  (void)s, (void)p, (void)v;
${lines.join("\n")}
}
`;
}

judged("reference counts", axes, () => true, functionOf, ["host", "opencl"]);
