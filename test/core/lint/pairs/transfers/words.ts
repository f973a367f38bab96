/** Data clauses and directives in the words of either model. */
import { type Form, type Pattern, pattern } from "../pattern.ts";

type Model = "acc" | "omp";
type Motion = "in" | "out" | "both" | "room" | "there";

/** `[motion, section]`. */
type Map = readonly [motion: Motion, what: string];

interface Words {
  readonly model: Model;
  /** A loop on the device. */
  kernel(maps: readonly Map[], more?: string): string;
  /** Code of the device on one thread. */
  serial(maps: readonly Map[]): string;
  data(maps: readonly Map[]): string;
  /** Code of the host in which an array's name means the device's memory. */
  asDevice(array: string): string;
  enter(maps: readonly Map[]): string;
  /** `gone`: what is not copied back. */
  exit(back: readonly string[], gone: readonly string[]): string;
  toHost(what: string): string;
  toDevice(what: string): string;
  /** A loop that runs beside the host; all of them are in one queue. */
  beside(maps: readonly Map[]): string;
  wait(): string;
}

const ofOmp = { in: "to", out: "from", both: "tofrom", room: "alloc", there: "alloc" } as const;
const ofAcc = { in: "copyin", out: "copyout", both: "copy", room: "create", there: "present" } as const;

const omp = (maps: readonly Map[]): string => maps.map(([m, what]) => ` map(${ofOmp[m]}: ${what})`).join("");
const acc = (maps: readonly Map[]): string => maps.map(([m, what]) => ` ${ofAcc[m]}(${what})`).join("");
const clause = (name: string, list: readonly string[]): string =>
  list.length === 0 ? "" : ` ${name}${list.join(", ")})`;

const words: { readonly [M in Model]: Words } = {
  omp: {
    model: "omp",
    kernel: (maps, more = "") => `#pragma omp target teams distribute parallel for${omp(maps)}${more}`,
    serial: (maps) => `#pragma omp target${omp(maps)}`,
    data: (maps) => `#pragma omp target data${omp(maps)}`,
    asDevice: (array) => `#pragma omp target data use_device_ptr(${array})`,
    enter: (maps) => `#pragma omp target enter data${omp(maps)}`,
    exit: (back, gone) =>
      `#pragma omp target exit data${clause("map(from: ", back)}${clause("map(delete: ", gone)}`,
    toHost: (what) => `#pragma omp target update from(${what})`,
    toDevice: (what) => `#pragma omp target update to(${what})`,
    beside: (maps) => `#pragma omp target teams distribute parallel for nowait${omp(maps)}`,
    wait: () => "#pragma omp taskwait",
  },
  acc: {
    model: "acc",
    kernel: (maps, more = "") => `#pragma acc parallel loop${acc(maps)}${more}`,
    serial: (maps) => `#pragma acc serial${acc(maps)}`,
    data: (maps) => `#pragma acc data${acc(maps)}`,
    asDevice: (array) => `#pragma acc host_data use_device(${array})`,
    enter: (maps) => `#pragma acc enter data${acc(maps)}`,
    exit: (back, gone) => `#pragma acc exit data${clause("copyout(", back)}${clause("delete(", gone)}`,
    toHost: (what) => `#pragma acc update self(${what})`,
    toDevice: (what) => `#pragma acc update device(${what})`,
    beside: (maps) => `#pragma acc parallel loop async(1)${acc(maps)}`,
    wait: () => "#pragma acc wait",
  },
};

/** `a[from:count]`. */
const section = /^(\w+)\[(.*):(.*)\]$/;

/**
 * The same words, of which those that move data are calls of functions with a parameter for the array. Their definitions
 * are added to `made`.
 */
function byCalls(w: Words, type: string, made: string[]): Words {
  const called = (what: string, directive: (what: string) => string): string => {
    const [, array, from, count] = section.exec(what) ?? [];
    if (array === undefined) return directive(what);
    const name = `move_${made.length}`;
    made.push(`static void ${name}(${type} *p, int from, int m) {\n${directive("p[from:m]")}\n}\n`);
    return `${name}(${array}, ${from}, ${count});`;
  };
  const all = (list: readonly string[]): string => list.join("\n");
  return {
    ...w,
    enter: (maps) => all(maps.map(([m, what]) => called(what, (own) => w.enter([[m, own]])))),
    exit: (back, gone) =>
      all([
        ...back.map((what) => called(what, (own) => w.exit([own], []))),
        ...gone.map((what) => called(what, (own) => w.exit([], [own]))),
      ]),
    toHost: (what) => called(what, w.toHost),
    toDevice: (what) => called(what, w.toDevice),
  };
}

type Body = (form: Form, words: Words) => string;

/** The same pattern in both models; what moves data by itself also stands in functions of its own. */
export const transfer = (
  name: string,
  arrays: string,
  body: Body,
  before: Body = () => "",
): readonly Pattern[] =>
  (["omp", "acc"] as const).flatMap((model) => {
    const w = words[model];
    const calls = (form: Form, made: string[]): string => body(form, byCalls(w, form.T, made));
    const one = pattern(`${name}-${model}`, arrays, (form) => body(form, w), {
      before: (form) => before(form, w),
      unseen: true,
    });
    const two = pattern(`${name}-${model}-by-calls`, arrays, (form) => calls(form, []), {
      before(form) {
        const made: string[] = [];
        calls(form, made);
        return `${made.join("")}${before(form, w)}`;
      },
      unseen: true,
    });
    return hasMoves(body, w) ? [one, two] : [one];
  });

/** Whether a pattern has directives that only move data. */
function hasMoves(body: Body, w: Words): boolean {
  const made: string[] = [];
  const form: Form = {
    r: (fault, mended) => `${fault}${mended}` as typeof fault,
    T: "int",
    n: "n",
    loop: () => "",
    at: () => "",
    pfor: () => "",
  };
  body(form, byCalls(w, "int", made));
  return made.length > 0;
}
