/** Where in memory an access is, at one point of a run. */
import { canonical } from "../../lang/index.ts";
import type { CType } from "../../lang/tree/ast.ts";
import type { Around, MemoryLocation, Term } from "./access.ts";
import { loopsOfSums, type Point, type Prepared, prepare, type World } from "./evaluate.ts";
import type { Facts } from "./facts.ts";
import { anyOfUnion } from "./memory-locations.ts";

/** Equal if the memory is the same. */
export type Where = string | number;

export interface Located {
  readonly where: Where;
  /** The first and the last subscript of the location. */
  readonly first: number;
  readonly last: number;
}

export interface Locator {
  /** Undefined if a subscript is unknown. */
  at(point: Point): Located | undefined;
  /**
   * The loops of whose variables `where` is a sum, each times something fixed: a number then, as far as it is known.
   * Absent: it is no such sum.
   */
  readonly sumOf?: readonly number[];
}

type Move =
  /** `size`: of the array's dimension; absent: the object is not an array, and the subscript is 0. */
  | { readonly is: "index"; readonly terms: readonly Summand[]; readonly size?: Prepared | undefined }
  | { readonly is: "part"; readonly text: string }
  | { readonly is: "lost" };

interface Summand {
  readonly value: Prepared;
  readonly negative: boolean;
}

/** `loops`: those around the place. */
export function locator(location: MemoryLocation, loops: readonly Around[], world: World): Locator {
  if (location.relies.some((pointer) => world.changed.has(pointer))) return { at: () => undefined };
  const moves = movesOf(location, loops, world);
  const first = moves.findIndex(({ is }) => is !== "part");
  const start = [location.root.id, ...moves.slice(0, first < 0 ? moves.length : first).map(textOf)].join(" ");
  const rest = first < 0 ? [] : moves.slice(first);
  const keys = keysOf(world.facts);
  const startKey = keyOf(start, keys);
  const sumOf = sumsIn(rest);
  const at = (point: Point): Located | undefined => {
    let text = start;
    let linear: number | undefined;
    let outermost = Number.NaN;
    for (const move of rest) {
      if (move.is === "lost") return undefined;
      if (move.is === "part") {
        text = `${linear === undefined ? text : `${text} ${linear}`} ${move.text}`;
        linear = undefined;
        continue;
      }
      let at = 0;
      for (const { value, negative } of move.terms) {
        const found = value.at(point);
        if (found === undefined) return undefined;
        at += negative ? -found : found;
      }
      if (!("size" in move)) {
        if (at !== 0) return undefined;
        continue;
      }
      if (Number.isNaN(outermost)) outermost = at;
      const size = move.size?.at(point);
      if (linear !== undefined && size !== undefined) linear = linear * size + at;
      else {
        if (linear !== undefined) text = `${text} ${linear}`;
        linear = at;
      }
    }
    if (linear === undefined) return { where: text, first: outermost, last: Number.NaN };
    if (!Number.isInteger(linear) || Math.abs(linear) >= half)
      return { where: `${text} ${linear}`, first: outermost, last: linear };
    const key = text === start ? startKey : keyOf(text, keys);
    return { where: key * 2 * half + half + linear, first: outermost, last: linear };
  };
  return sumOf ? { at, sumOf } : { at };
}

/** The loops of whose variables the subscripts of one array are sums, its dimensions being fixed. */
function sumsIn(moves: readonly Move[]): readonly number[] | undefined {
  const parts: Prepared[] = [];
  for (const [k, move] of moves.entries()) {
    if (move.is !== "index" || !("size" in move)) return undefined;
    if (k > 0 && !move.size?.fixed) return undefined;
    parts.push(...move.terms.map(({ value }) => value));
  }
  return loopsOfSums(parts);
}

const half = 2 ** 31;

const textOf = (move: Move): string => (move.is === "part" ? move.text : "");

/** Numbers for the paths to arrays, so that elements can be identified by numbers instead of text. */
const keysOf = (facts: Facts): Map<string, number> => {
  const known = keysByFacts.get(facts) ?? new Map<string, number>();
  keysByFacts.set(facts, known);
  return known;
};
const keysByFacts = new WeakMap<Facts, Map<string, number>>();

function keyOf(text: string, keys: Map<string, number>): number {
  const known = keys.get(text);
  if (known !== undefined) return known;
  keys.set(text, keys.size);
  return keys.size - 1;
}

function movesOf({ root, steps }: MemoryLocation, loops: readonly Around[], world: World): readonly Move[] {
  const moves: Move[] = [];
  let type: CType = canonical(root.type);
  for (const step of steps) {
    if (step.is === "index") {
      const terms = step.terms.map(({ expr, frame, negative, of }) => ({
        value: chosenOf(of, prepare(expr, frame, loops, world)),
        negative: negative === true,
      }));
      if (type.kind !== "array") {
        moves.push({ is: "index", terms });
        continue;
      }
      moves.push({ is: "index", terms, size: extentOf(type, loops, world) });
      type = canonical(type.of);
    } else if (step.is === "deref") {
      moves.push({ is: "part", text: "*" });
      if (type.kind !== "pointer") return [...moves, { is: "lost" }];
      type = { kind: "array", of: type.to };
    } else {
      moves.push({ is: "part", text: `.${step.name}` });
      if (step.name === anyOfUnion) return moves;
      const field: CType | undefined =
        type.kind === "record" ? type.decl.fields?.find((f) => f.name === step.name)?.type : undefined;
      if (!field) return [...moves, { is: "lost" }];
      type = canonical(field);
    }
  }
  return moves;
}

/** One of several numbers, chosen by a value. */
function chosenOf(numbers: Term["of"], value: Prepared): Prepared {
  if (!numbers) return value;
  const { fixed, at } = value;
  return {
    fixed,
    at(point) {
      const chosen = at(point);
      return chosen === undefined ? undefined : numbers.get(chosen);
    },
  };
}

function extentOf(
  type: CType & { readonly kind: "array" },
  loops: readonly Around[],
  world: World,
): Prepared | undefined {
  const { size } = type;
  if (typeof size === "number") return { fixed: true, sumOf: [], at: () => size };
  return typeof size === "object" ? prepare(size, { arguments: new Map() }, loops, world) : undefined;
}
