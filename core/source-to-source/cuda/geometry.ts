/**
 * Names of a kernel's thread indices when loops run its threads: for each dimension the block, the thread, and both
 * combined.
 */
import { itemAt } from "../../checked/access.ts";
import { type Dimension, dimensions, isGeometry, type Kernel } from "./functions.ts";
import { type Replacement, replace } from "./pieces.ts";
import { declaredBy, everyStatement, type Statement } from "./statements.ts";
import type { Token } from "./tokens.ts";

/** `blockIdx.x * blockDim.x + threadIdx.x`: the index of a thread in the whole grid. */
export interface GridIndex {
  readonly dimension: Dimension;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** A variable that holds a grid index and nothing else. */
export interface NamedIndex {
  readonly index: GridIndex;
  readonly type: string;
  readonly name: string;
  readonly declaration: Statement;
}

const shapes = (d: Dimension): readonly (readonly string[])[] => {
  const block = ["blockIdx", ".", d];
  const size = ["blockDim", ".", d];
  const thread = ["threadIdx", ".", d];
  const products = [
    [...block, "*", ...size],
    [...size, "*", ...block],
  ];
  return products.flatMap((product) => [
    [...product, "+", ...thread],
    [...thread, "+", ...product],
    ["(", ...product, ")", "+", ...thread],
    [...thread, "+", "(", ...product, ")"],
  ]);
};
const patterns = dimensions.flatMap((dimension) => shapes(dimension).map((words) => ({ dimension, words })));

export function gridIndices(tokens: readonly Token[], from: number, to: number): readonly GridIndex[] {
  const found: GridIndex[] = [];
  for (let k = from; k < to; k++) {
    const shape = patterns.find(({ words }) => words.every((word, i) => tokens[k + i]?.text === word));
    if (shape === undefined) continue;
    const end = k + shape.words.length;
    if (!isUndivided(tokens, k, end)) continue;
    const [first, last] = [itemAt(tokens, k), itemAt(tokens, end - 1)];
    found.push({ dimension: shape.dimension, start: first.start, end: last.end, from: k, to: end });
    k = end - 1;
  }
  return found;
}

/** Whether the surrounding operators leave the sum intact. */
function isUndivided(tokens: readonly Token[], from: number, to: number): boolean {
  const before = tokens[from - 1]?.text ?? "";
  const type = tokens[from - 2]?.text ?? "";
  const cast = before === ")" && /^(int|long|unsigned|size_t|u?int\d+_t)$/.test(type);
  const isLeft = cast || /^(=|\(|,|\[|;|<|>|<=|>=|==|\{|\+|return)$/.test(before);
  return isLeft && !/^[*/%.]$/.test(tokens[to]?.text ?? "");
}

/** Whether thread and block indices are used only in such sums. */
export function onlyIndices(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  indices: readonly GridIndex[],
): boolean {
  for (let k = from; k < to; k++) {
    if (!isGeometry(tokens, k) || !/^(threadIdx|blockIdx)$/.test(itemAt(tokens, k).text)) continue;
    if (!indices.some((one) => one.from <= k && k < one.to)) return false;
  }
  return true;
}

const integer = /^((const|unsigned|int|long|size_t|u?int(32|64)_t) ?)+$/;

/** Declarations at the top level of a kernel that only name an index, which nothing changes. */
export function namedIndices(
  tokens: readonly Token[],
  kernel: Kernel,
  indices: readonly GridIndex[],
): readonly NamedIndex[] {
  const { body } = kernel;
  if (!body) return [];
  const found: NamedIndex[] = [];
  for (const declaration of body.statements) {
    if (declaration.kind !== "declaration") continue;
    const declared = declaredBy(tokens, declaration);
    const [only] = declared;
    const { init } = only ?? {};
    const index = indices.find(
      ({ start, end, dimension }) =>
        init?.[0]?.start === start &&
        init.at(-1)?.end === end &&
        indices.filter((one) => one.dimension === dimension).length === 1,
    );
    if (!only || declared.length !== 1 || index === undefined || !integer.test(only.type)) continue;
    if (isChanged(tokens, body, only.name.text, only.name)) continue;
    const others = everyStatement(body.statements).filter(
      (one) =>
        one !== declaration &&
        one.kind === "declaration" &&
        declaredBy(tokens, one).some(({ name }) => name.text === only.name.text),
    );
    if (others.length > 0) continue;
    found.push({ index, type: only.type.replace(/\bconst\b ?/, ""), name: only.name.text, declaration });
  }
  return found;
}

/** Whether a name is assigned, stepped or has its address taken, except at `declared`. */
export function isChanged(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  name: string,
  declared?: Token,
): boolean {
  for (let k = from; k < to; k++) {
    const token = itemAt(tokens, k);
    if (token.text !== name || token === declared || /^(\.|->)$/.test(tokens[k - 1]?.text ?? "")) continue;
    const after = tokens[k + 1]?.text ?? "";
    const before = tokens[k - 1]?.text ?? "";
    const isAssigned = /^([+\-*/%&|^]|<<|>>)?=$/.test(after);
    // `*name = v` sets what it leads to.
    if (isAssigned && before === "*") continue;
    if (isAssigned || after === "++" || after === "--") return true;
    // What the name leads to is another object.
    if (after === "[" || after === "->") continue;
    if (before === "++" || before === "--" || (before === "&" && isAddress(tokens, k - 1))) return true;
  }
  return false;
}

/** Whether `&` at k takes an address: behind an operand it is a bitwise operator, but `(int *)` is none. */
function isAddress(tokens: readonly Token[], k: number): boolean {
  const before = tokens[k - 1]?.text ?? "";
  if (before === ")") return tokens[k - 2]?.text === "*";
  return before === "return" || !/^[\w\]]/.test(before);
}

export interface Names {
  readonly grid: (d: Dimension) => string;
  readonly block: (d: Dimension) => string;
  readonly blockAt: (d: Dimension) => string;
  readonly threadAt: (d: Dimension) => string;
  readonly at: (d: Dimension) => string;
}

/** Names that the source does not use; one-dimensional kernels get them without the dimension's letter. */
export function namesFor(rank: number, usedNames: ReadonlySet<string>): Names {
  const unused = (name: string): string => {
    let found = name;
    for (let k = 2; usedNames.has(found); k++) found = `${name}_${k}`;
    return found;
  };
  const one = (flat: string) => (d: Dimension) => unused(rank === 1 ? flat : `${flat}_${d}`);
  return {
    grid: one("blocks"),
    block: one("block_size"),
    blockAt: one("block"),
    threadAt: one("thread"),
    at: one("item"),
  };
}

/** Replaces CUDA's index variables outside of the sums `indices`. */
export function geometryEdits(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  indices: readonly GridIndex[],
  names: Names,
): readonly Replacement[] {
  const say = {
    threadIdx: names.threadAt,
    blockIdx: names.blockAt,
    blockDim: names.block,
    gridDim: names.grid,
  };
  const found: Replacement[] = [];
  for (let k = from; k < to; k++) {
    if (!isGeometry(tokens, k) || indices.some((one) => one.from <= k && k < one.to)) continue;
    const [word, , letter] = tokens.slice(k, k + 3) as [Token, Token, Token];
    const name = say[word.text as keyof typeof say](letter.text as Dimension);
    found.push(replace(word.start, letter.end, name));
  }
  return found;
}
