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
  data(maps: readonly Map[]): string;
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
    data: (maps) => `#pragma omp target data${omp(maps)}`,
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
    data: (maps) => `#pragma acc data${acc(maps)}`,
    enter: (maps) => `#pragma acc enter data${acc(maps)}`,
    exit: (back, gone) => `#pragma acc exit data${clause("copyout(", back)}${clause("delete(", gone)}`,
    toHost: (what) => `#pragma acc update self(${what})`,
    toDevice: (what) => `#pragma acc update device(${what})`,
    beside: (maps) => `#pragma acc parallel loop async(1)${acc(maps)}`,
    wait: () => "#pragma acc wait",
  },
};

/** The same pattern in both models. */
export const transfer = (
  name: string,
  arrays: string,
  body: (form: Form, words: Words) => string,
  before: (form: Form, words: Words) => string = () => "",
): readonly Pattern[] =>
  (["omp", "acc"] as const).map((model) =>
    pattern(`${name}-${model}`, arrays, (form) => body(form, words[model]), {
      before: (form) => before(form, words[model]),
      unseen: true,
    }),
  );
