/** Local objects: structs with bit-fields, unions, pointers to variables and into arrays, pointers to pointers. */
import type { CArray, Context, Scalar, View } from "./context.ts";
import type { Tape } from "./tape.ts";
import { type ElementType, fit, INT, types, type Value } from "./values.ts";

/** Statements, and the objects usable after them. */
interface Objects {
  readonly lines: readonly string[];
  readonly scalars: readonly Scalar[];
  readonly views?: readonly View[];
  readonly structs?: readonly string[];
  /** The variable or array that a pointer replaces from here on, by name. */
  readonly replaced?: string;
}

const typeNamed = (name: string): ElementType => types.find((t) => t.name === name) as ElementType;
const bits = (name: string, max: number): ElementType => ({ name, kind: "s", max });

const MIX: readonly (readonly [member: string, type: ElementType])[] = [
  ["i", INT],
  ["u", bits("unsigned char", 31)],
  ["f", typeNamed("float")],
  ["b", bits("int", 255)],
  ["s[1]", typeNamed("short")],
  ["w", typeNamed("unsigned long")],
  ["in.c", typeNamed("signed char")],
  ["in.t", typeNamed("_Bool")],
];

export const members = (of: string, arrow = "."): Scalar[] =>
  MIX.map(([member, type]) => ({ name: `${of}${arrow}${member}`, type, writable: true }));

/** `value` generates an expression of the available variables. */
export function object(
  tape: Tape,
  context: Context,
  fresh: (letter: string) => string,
  value: () => Value,
): Objects {
  switch (tape.below(7)) {
    case 1:
      return union(fresh("u"), value());
    case 2:
      return pointerTo(tape, context, fresh) ?? union(fresh("u"), value());
    case 3:
      return pointerInto(tape, context, fresh) ?? struct(tape, fresh("m"), value);
    case 4:
      return copied(tape, context, fresh, value) ?? struct(tape, fresh("m"), value);
    case 5:
      return structs(tape, fresh("m"));
    default:
      return struct(tape, fresh("m"), value);
  }
}

function struct(tape: Tape, name: string, value: () => Value): Objects {
  const some = tape.some(
    MIX.filter(([member]) => !member.includes(".") && !member.includes("[")),
    2,
  );
  const set = some.map(([member, type]) => `.${member} = ${fit(value(), type)}`);
  const init = tape.once(3)
    ? `struct mix ${name} = (struct mix){.in = {1, 1}, .s = {[1] = 5}${set.map((one) => `, ${one}`).join("")}};`
    : `struct mix ${name} = {${set.length ? set.join(", ") : "0"}};`;
  return { lines: [init], scalars: members(name), structs: [name] };
}

function union(name: string, value: Value): Objects {
  const byte = typeNamed("unsigned char");
  return {
    lines: [`union word ${name};`, `${name}.w = ${fit(value, typeNamed("unsigned"))};`],
    scalars: [
      { name: `${name}.w`, type: typeNamed("unsigned"), writable: true },
      { name: `${name}.b[2]`, type: byte, writable: true },
      { name: `${name}.b[3]`, type: byte, writable: true },
    ],
  };
}

/** A pointer to a variable of the region, directly or through another pointer. */
function pointerTo(tape: Tape, context: Context, fresh: (letter: string) => string): Objects | undefined {
  const own = context.scalars.filter(
    (s) => s.writable && /^([xpu]\d+|m\d+\.(i|f|w|in\.c))(\.w)?$/.test(s.name) && !s.name.startsWith("(*"),
  );
  if (own.length === 0) return undefined;
  const of = tape.of(own);
  const name = fresh("q");
  const lines = [`${of.type.name} *${name} = &${of.name};`];
  if (!tape.once(2)) return { lines, scalars: [{ ...of, name: `(*${name})` }], replaced: of.name };
  const other = fresh("q");
  return {
    lines: [...lines, `${of.type.name} **${other} = &${name};`],
    scalars: [{ ...of, name: `(**${other})` }],
    replaced: of.name,
  };
}

const contiguous = (array: CArray): boolean => /^\w+\[0\]$/.test(array.element("0"));

/** A pointer into an array that this code owns or reads. */
function pointerInto(tape: Tape, context: Context, fresh: (letter: string) => string): Objects | undefined {
  const some = context.views.filter((v) => v.mode !== "gangs" && v.length > 0 && contiguous(v.array));
  if (some.length === 0) return undefined;
  const v = tape.of(some);
  const name = fresh("q");
  const type = v.array.type;
  const first = v.array.element(v.base);
  const constant = v.mode === "ro" ? "const " : "";
  const past = tape.once(2);
  const lines = past
    ? [`${constant}${type.name} *${name} = &${first} + ${v.length};`]
    : [`${constant}${type.name} *${name} = &${first};`];
  const element = past ? (s: string) => `${name}[(int)(${s}) - ${v.length}]` : (s: string) => `${name}[${s}]`;
  return {
    lines,
    scalars: [],
    views: [
      {
        array: { name: `${v.array.name}/${name}`, type, element },
        base: "0",
        length: v.length,
        mode: v.mode,
      },
    ],
    replaced: v.array.name,
  };
}

/** Whole structs: copied, passed, returned, changed through pointers. */
function copied(
  tape: Tape,
  context: Context,
  fresh: (letter: string) => string,
  value: () => Value,
): Objects | undefined {
  if (context.structs.length === 0) return undefined;
  const from = tape.of(context.structs);
  const name = fresh("m");
  const k = fit(value(), INT);
  switch (tape.below(4)) {
    case 1:
      return {
        lines: [`struct mix ${name} = twist(${from}, ${k});`],
        scalars: members(name),
        structs: [name],
      };
    case 2:
      return {
        lines: [`struct mix ${name} = ${from};`, `poke(&${name}, &${from});`],
        scalars: members(name),
        structs: [name],
      };
    case 3: {
      const pointer = fresh("q");
      return {
        lines: [`struct mix ${name};`, `struct mix *${pointer} = &${name};`, `*${pointer} = ${from};`],
        scalars: members(pointer, "->"),
        structs: [name],
      };
    }
    default:
      return { lines: [`struct mix ${name} = ${from};`], scalars: members(name), structs: [name] };
  }
}

/** An array of structs, with one member used as an array. */
function structs(tape: Tape, name: string): Objects {
  const length = tape.of([2, 3, 5]);
  const [member, type] = tape.of(MIX.filter(([m]) => !m.includes("[")));
  const array: CArray = { name, type, element: (s) => `${name}[${s}].${member}` };
  return {
    lines: [
      `struct mix ${name}[${length}] = {{1}};`,
      `for (int k = 0; k < ${length}; k++) ${name}[k].${member} = k & 1;`,
    ],
    scalars: [],
    views: [{ array, base: "0", length, mode: "rw" }],
  };
}
