/** Functions and variables of a CUDA source with a CUDA keyword: kernels, device functions, constant memory. */
import { firstOf, itemAt } from "../../checked/access.ts";
import { type Statement, statementsIn } from "./statements.ts";
import { closing, parts, type SourceLocations, type Token } from "./tokens.ts";

export type Dimension = "x" | "y" | "z";
export const dimensions: readonly Dimension[] = ["x", "y", "z"];

export interface Kernel {
  readonly name: Token;
  /** The text from `__global__` to the name, and from there with the parameters to the body. */
  readonly start: number;
  readonly open: Token;
  readonly close: Token;
  readonly parameters: readonly Parameter[];
  /** Undefined for a prototype. */
  readonly body:
    | { readonly statements: readonly Statement[]; readonly from: number; readonly to: number }
    | undefined;
  /** The last dimension that it uses. */
  readonly rank: number;
}

interface Parameter {
  readonly name: string;
  readonly isPointer: boolean;
}

export interface DeviceWord {
  /** Start of its declaration. */
  readonly start: number;
  readonly words: readonly Token[];
  readonly name: Token;
  readonly is: "function" | "prototype" | "variable";
  readonly initialised: boolean;
  readonly body?: readonly [from: number, to: number];
}

const qualifiers = new Set(["__global__", "__device__", "__host__", "__constant__", "__managed__"]);

/** File-scope declarations with a CUDA keyword. */
export function declarations(
  tokens: readonly Token[],
  locations: SourceLocations,
): { readonly kernels: readonly Kernel[]; readonly words: readonly DeviceWord[] } {
  const kernels: Kernel[] = [];
  const words: DeviceWord[] = [];
  const record = (from: number, at: number, end: number): void => {
    const found = declarationOf(tokens, locations, [from, at, end]);
    if ("words" in found) words.push(found);
    else kernels.push(found);
  };
  let start = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { text } = itemAt(tokens, at);
    if (text === "template")
      locations.refuse(
        itemAt(tokens, at),
        "templates are C++: arc reads CUDA's kernels in C",
        "write the kernel for the types that it is used with",
      );
    if (text === ";" && tokens.slice(start, at).some((token) => qualifiers.has(token.text)))
      record(start, at, at);
    if (text === ";" || text === "}") start = at + 1;
    else if (text === "extern" && tokens[at + 1]?.kind === "literal") {
      if (tokens[at + 2]?.text === "{")
        locations.refuse(
          itemAt(tokens, at),
          'a block of extern "C" is C++',
          'write extern "C" before each function, or leave it out',
        );
    } else if (text === "{" || text === "(") {
      const end = closing(tokens, at);
      const head = tokens.slice(start, at);
      if (text === "{" && !head.some((token) => token.text === "=")) {
        if (head.some((token) => qualifiers.has(token.text))) record(start, at, end);
        start = end + 1;
      }
      at = end;
    }
  }
  return { kernels, words };
}

/** The declaration whose head is the tokens `from` to `at`; the body of a function ends at `end`. */
function declarationOf(
  tokens: readonly Token[],
  locations: SourceLocations,
  [from, at, end]: readonly [from: number, at: number, end: number],
): Kernel | DeviceWord {
  const head = tokens.slice(from, at);
  const start = firstOf(head).start;
  const own = head.filter((token) => qualifiers.has(token.text));
  const managed = own.find((token) => token.text === "__managed__");
  if (managed)
    locations.refuse(
      managed,
      "managed memory has no counterpart here",
      "allocate it with cudaMalloc and copy",
    );
  const open = head.findIndex((token, k) => token.text === "(" && head[k - 1]?.text !== "__launch_bounds__");
  const equals = head.findIndex((token) => token.text === "=");
  const isFunction = open > 0 && (equals < 0 || open < equals);
  const names = head.slice(0, isFunction ? open : undefined);
  const stop = names.findIndex(({ text }) => text === "[" || text === "=");
  const name = (stop < 0 ? names : names.slice(0, stop)).findLast(({ kind }) => kind === "name") as Token;
  const isPrototype = tokens[at]?.text === ";";
  if (!own.some((token) => token.text === "__global__"))
    return {
      start,
      words: own,
      name,
      is: isFunction ? (isPrototype ? "prototype" : "function") : "variable",
      initialised: equals >= 0,
      ...(!isPrototype && { body: [at + 1, end] as const }),
    };
  const shut = from + closing(head, open);
  const body = isPrototype
    ? undefined
    : { from: at + 1, to: end, statements: statementsIn(tokens, at + 1, end, locations) };
  return {
    name,
    start,
    open: itemAt(head, open),
    close: itemAt(tokens, shut),
    parameters: parametersOf(tokens, from + open + 1, shut, locations),
    body,
    rank: body ? rankOf(tokens.slice(body.from, body.to)) : 0,
  };
}

function parametersOf(
  tokens: readonly Token[],
  from: number,
  to: number,
  locations: SourceLocations,
): readonly Parameter[] {
  return parts(tokens, from, to).flatMap((part) => {
    const reference = part.find(({ text }) => text === "&");
    if (reference)
      locations.refuse(
        reference,
        "references are C++: arc reads CUDA's kernels in C",
        "pass the value, or a pointer",
      );
    const name = part.findLast(({ kind }) => kind === "name");
    if (name === undefined || (part.length === 1 && name.text === "void")) return [];
    return [{ name: name.text, isPointer: part.some(({ text }) => text === "*" || text === "[") }];
  });
}

const geometry = /^(threadIdx|blockIdx|blockDim|gridDim)$/;

export const isGeometry = (tokens: readonly Token[], k: number): boolean =>
  geometry.test(tokens[k]?.text ?? "") &&
  tokens[k + 1]?.text === "." &&
  /^[xyz]$/.test(tokens[k + 2]?.text ?? "");

function rankOf(tokens: readonly Token[]): number {
  const used = tokens.flatMap((_, k) =>
    isGeometry(tokens, k) ? [dimensions.indexOf(itemAt(tokens, k + 2).text as Dimension) + 1] : [],
  );
  return Math.max(1, ...used);
}
