/** Arrays of the host function: static, on the heap, with two dimensions, or a member of structs. */
import type { CArray } from "./context.ts";
import type { Tape } from "./tape.ts";
import { type ElementType, INT, types } from "./values.ts";

export interface HostArray extends CArray {
  readonly length: number;
  readonly declaration: string;
  /** Frees it. */
  readonly release?: string;
  /** As a data clause names it. */
  readonly clause: string;
  readonly pointer: boolean;
}

export function hostArray(tape: Tape, name: string): HostArray {
  const length = tape.of([3, 7, 64, 131, 401, 1009, 401, 1009]);
  const which = tape.below(5);
  if (which === 3) return matrix(tape, name, length);
  if (which === 4) return memberOfStructs(tape, name, length);
  const type = tape.of(types);
  const element = (s: string) => `${name}[${s}]`;
  if (which === 0)
    return {
      name,
      type,
      length,
      declaration: `static ${type.name} ${name}[${length}];`,
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
    element,
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

export const copy = (a: HostArray): string => `copy(${a.clause})`;

/** Gives every element a small value. */
export function filled({ length, type, element }: HostArray): string {
  const value = "(k * 7 + 3) % 61";
  const start = type.kind === "f" ? `0.25f * (${value}) - 20` : type.kind === "u" ? value : `${value} - 20`;
  return `for (int k = 0; k < ${length}; k++) ${element("k")} = ${start};`;
}
