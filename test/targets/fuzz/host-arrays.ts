/** Arrays of the host function: static, on the heap, two-dimensional, or members of structs. */
import type { CArray } from "./context.ts";
import type { Tape } from "./tape.ts";
import { type ElementType, INT, types } from "./values.ts";

export interface HostArray extends CArray {
  readonly length: number;
  readonly declaration: string;
  /** The declaration precedes the function. */
  readonly isGlobal?: boolean;
  /** The statement that frees it. */
  readonly release?: string;
  /** Its spelling in data clauses. */
  readonly clause: string;
  /** A data clause is required, since the size of the pointer's target is otherwise unknown. */
  readonly pointer: boolean;
  /** The spelling of an element in `update`. */
  readonly pieceAt?: (at: number) => string;
  /** Only part of it is on the device: regions must name that part. */
  readonly partial?: boolean;
  /** An enclosing struct or array, which must be mapped first. */
  readonly around?: string;
  /** It lives on the device: data clauses do not name it, and `update` transfers its values. */
  readonly resident?: boolean;
  /** Statements after its initialisation, and before its final use. */
  readonly before?: readonly string[];
  readonly last?: readonly string[];
}

export function hostArray(tape: Tape, name: string, unique: string): HostArray {
  const length = tape.of([3, 7, 64, 131, 401, 1009, 401, 1009]);
  const which = tape.below(12);
  if (which === 3) return matrix(tape, name, length);
  if (which === 4) return memberOfStructs(tape, name, length);
  if (which === 5) return rowsOfPointers(tape, name, Math.min(length, 131));
  if (which === 6) return inBox(name, length);
  if (which === 7) return residentArray(tape, `g_${unique}_${name}`, length);
  if (which === 8) return section(tape, name, length);
  if (which === 9) return variableLength(tape, name, length);
  const type = tape.of(types);
  const element = (s: string) => `${name}[${s}]`;
  if (which === 0 || which === 10)
    return {
      name,
      type,
      length,
      declaration:
        which === 0 ? `static ${type.name} ${name}[${length}];` : `${type.name} ${name}[${length}];`,
      clause: name,
      pointer: false,
      element,
    };
  return {
    name,
    type,
    length,
    declaration: `${type.name} *${name} = malloc(${length} * sizeof *${name});`,
    release: `free(${name});`,
    clause: `${name}[0:${length}]`,
    pointer: true,
    pieceAt: (at) => `${name}[${at}:1]`,
    element,
  };
}

/** Pointers to rows, each allocated separately. */
function rowsOfPointers(tape: Tape, name: string, least: number): HostArray {
  const rows = tape.of([2, 3, 5]);
  const cols = Math.ceil(least / rows);
  const type = tape.of(types);
  return {
    name,
    type,
    length: rows * cols,
    declaration: `${type.name} **${name} = malloc(${rows} * sizeof *${name}); for (int k = 0; k < ${rows}; k++) ${name}[k] = malloc(${cols} * sizeof **${name});`,
    release: `for (int k = 0; k < ${rows}; k++) free(${name}[k]); free(${name});`,
    clause: Array.from({ length: rows }, (_, k) => `${name}[${k}][0:${cols}]`).join(", "),
    pointer: true,
    around: `${name}[0:${rows}]`,
    element: (s) => `${name}[(${s}) / ${cols}][(${s}) % ${cols}]`,
  };
}

/** The target of a struct's pointer member. */
function inBox(name: string, length: number): HostArray {
  return {
    name,
    type: INT,
    length,
    declaration: `struct box ${name} = {${length}, malloc(${length} * sizeof(int))};`,
    release: `free(${name}.p);`,
    clause: `${name}.p[0:${length}]`,
    pointer: true,
    around: name,
    pieceAt: (at) => `${name}.p[${at}:1]`,
    element: (s) => `${name}.p[${s}]`,
  };
}

function residentArray(tape: Tape, name: string, length: number): HostArray {
  const type = tape.of(types);
  return {
    name,
    type,
    length,
    isGlobal: true,
    declaration: `${tape.once(2) ? "static " : ""}${type.name} ${name}[${length}];\n#pragma acc declare create(${name})`,
    clause: name,
    pointer: false,
    resident: true,
    before: [`#pragma acc update device(${name})`],
    last: [`#pragma acc update self(${name})`],
    element: (s) => `${name}[${s}]`,
  };
}

/** A part of an array; the rest stays on the host. */
function section(tape: Tape, name: string, length: number): HostArray {
  const type = tape.of(types);
  const low = tape.of([1, 5, 32]);
  const whole = length + low + tape.below(3);
  const heap = tape.once(2);
  return {
    name,
    type,
    length,
    declaration: heap
      ? `${type.name} *${name} = malloc(${whole} * sizeof *${name});`
      : `static ${type.name} ${name}[${whole}];`,
    ...(heap && { release: `free(${name});` }),
    clause: `${name}[${low}:${length}]`,
    pointer: true,
    partial: true,
    pieceAt: (at) => `${name}[${low + at}:1]`,
    element: (s) => `${name}[${low} + (${s})]`,
  };
}

/** A pointer to rows whose length is computed at run time. */
function variableLength(tape: Tape, name: string, least: number): HostArray {
  const rows = tape.of([2, 3, 5]);
  const cols = Math.ceil(least / rows);
  const type = tape.of(types);
  return {
    name,
    type,
    length: rows * cols,
    declaration: `int ${name}_cols = ${cols}; ${type.name} (*${name})[${name}_cols] = malloc(${rows} * sizeof *${name});`,
    release: `free(${name});`,
    clause: `${name}[0:${rows}]`,
    pointer: true,
    element: (s) => `${name}[(${s}) / ${cols}][(${s}) % ${cols}]`,
  };
}

function matrix(tape: Tape, name: string, least: number): HostArray {
  const rows = tape.of([2, 3, 5]);
  const cols = Math.ceil(least / rows);
  const type = tape.of(types);
  return {
    name,
    type,
    length: rows * cols,
    declaration: `static ${type.name} ${name}[${rows}][${cols}];`,
    clause: name,
    pointer: false,
    element: (s) => `${name}[(${s}) / ${cols}][(${s}) % ${cols}]`,
  };
}

function memberOfStructs(tape: Tape, name: string, length: number): HostArray {
  const [member, type] = tape.of([
    ["i", INT],
    ["f", types[1] as ElementType],
    ["c[1]", types[5] as ElementType],
    ["l", types[4] as ElementType],
  ] as const);
  return {
    name,
    type,
    length,
    declaration: `static struct part ${name}[${length}];`,
    clause: name,
    pointer: false,
    element: (s) => `${name}[${s}].${member}`,
  };
}

export const copy = (a: HostArray): string =>
  a.resident ? "" : `${a.around === undefined ? "" : `copyin(${a.around}) `}copy(${a.clause})`;

/** Data clauses that end what `enter data` began. */
export function exits(arrays: readonly HostArray[]): string {
  const own = arrays.filter((a) => !a.resident);
  const around = own.flatMap((a) => (a.around === undefined ? [] : [`delete(${a.around})`]));
  return [...own.map((a) => `copyout(${a.clause})`), ...around].join(" ");
}

/** Adds a value to the sum `h` over an array. */
export const shown = (type: ElementType, value: string): string =>
  type.kind === "f" ? `show("", &h, ${value});` : `h = h * 1000003ul + (unsigned long)${value};`;

/** Gives every element a small value. */
export function filled({ length, type, element }: HostArray): string {
  const value = "(k * 7 + 3) % 61";
  const start =
    type.kind === "f"
      ? `0.25f * (${value}) - 20`
      : type.kind === "u"
        ? value
        : type.name === "_Bool"
          ? "k % 3 == 1"
          : type.name.startsWith("unsigned")
            ? value
            : `${value} - 20`;
  return `for (int k = 0; k < ${length}; k++) ${element("k")} = ${start};`;
}
