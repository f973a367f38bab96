/** A kernel as a host function whose loops over blocks and threads are offloaded by directives. */
import { itemAt } from "../../checked/access.ts";
import { hasPhases, isBarrier, refuseHiddenBarriers } from "./barriers.ts";
import { deviceEdits } from "./body.ts";
import { type Dimension, dimensions, type Kernel } from "./functions.ts";
import {
  type GridIndex,
  geometryEdits,
  gridIndices,
  isChanged,
  type NamedIndex,
  type Names,
  namedIndices,
  namesFor,
  onlyIndices,
} from "./geometry.ts";
import type { Macros } from "./macros.ts";
import { phases } from "./phases.ts";
import { cut, generated, type Piece, type Replacement, rename, replace, shifted } from "./pieces.ts";
import { everyStatement, type Statement } from "./statements.ts";
import type { SourceLocations, Token } from "./tokens.ts";

interface KernelContext {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly locations: SourceLocations;
  readonly usedNames: ReadonlySet<string>;
  readonly macros: Macros;
  /** The block size in each dimension, if all launches use the same constants. */
  readonly blockSize: readonly string[] | undefined;
}

type Body = NonNullable<Kernel["body"]>;

interface KernelRewrite {
  readonly replacements: readonly Replacement[];
  readonly because: string;
}

/** `rank`: the number of dimensions that the kernel of this name uses, also for its prototype. */
export function kernelRewrite(kernel: Kernel, rank: number, context: KernelContext): KernelRewrite {
  const { tokens, locations } = context;
  const ranks = dimensions.slice(0, rank);
  const names = namesFor(rank, context.usedNames);
  const { body } = kernel;
  if (!body)
    return {
      replacements: head(kernel, ranks, names, "unsigned"),
      because: "its geometry is its first parameters",
    };
  const edits = deviceEdits(context.source, tokens, body, locations);
  for (const { name } of kernel.parameters)
    if (isChanged(tokens, body, name))
      locations.refuse(
        kernel.name,
        `the kernel changes its parameter '${name}', of which each thread has its own`,
        "copy it to a variable of the kernel",
      );
  const indices = gridIndices(tokens, body.from, body.to);
  refuseHiddenBarriers(body, tokens, locations);
  const isFlat = !hasPhases(tokens, body.statements) && onlyIndices(tokens, body, indices);
  const used = kernel.parameters.filter(({ isPointer, name }) => isPointer && uses(tokens, body, name));
  const device = used.length > 0 ? ` deviceptr(${used.map(({ name }) => name).join(", ")})` : "";
  const indent = indentOf(context.source, body, tokens);
  const inner = isFlat
    ? flat(kernel, body, { ranks, names, indices, edits, device, indent }, context)
    : nested(body, { ranks, names, edits, device, indent }, context);
  const start = itemAt(tokens, body.from - 1).end;
  const end = itemAt(tokens, body.to).start;
  return {
    replacements: [
      ...head(kernel, ranks, names, "unsigned"),
      { start, end, pieces: [generated("\n", start), ...inner] },
    ],
    because: isFlat
      ? "its threads use their numbers in the whole grid alone: one loop over these"
      : "a loop over blocks, and in it one over the threads of a block for each stretch between barriers",
  };
}

function head(
  kernel: Kernel,
  ranks: readonly Dimension[],
  names: Names,
  type: string,
): readonly Replacement[] {
  const geometry = [...ranks.map(names.grid), ...ranks.map(names.block)]
    .map((name) => `${type} ${name}`)
    .join(", ");
  const more = kernel.parameters.length > 0 ? ", " : "";
  const inParentheses =
    kernel.parameters.length > 0 ? [] : [replace(kernel.open.end, kernel.close.start, "")];
  return [
    replace(kernel.start, kernel.name.start, "static void "),
    replace(kernel.open.end, kernel.open.end, `${geometry}${more}`),
    ...inParentheses,
  ];
}

const uses = (tokens: readonly Token[], { from, to }: Body, name: string): boolean =>
  tokens.slice(from, to).some(({ text }) => text === name);

function indentOf(source: string, body: Body, tokens: readonly Token[]): string {
  const first = itemAt(tokens, body.from);
  const line = source.slice(source.lastIndexOf("\n", first.start) + 1, first.start);
  return line.trim() === "" && line !== "" ? line : "  ";
}

interface Layout {
  readonly ranks: readonly Dimension[];
  readonly names: Names;
  readonly edits: readonly Replacement[];
  readonly device: string;
  readonly indent: string;
}

/** One nest over all threads of the grid. */
function flat(
  kernel: Kernel,
  body: Body,
  { ranks, names, indices, edits, device, indent }: Layout & { readonly indices: readonly GridIndex[] },
  { source, tokens, locations }: KernelContext,
): readonly Piece[] {
  const named = namedIndices(tokens, kernel, indices);
  const own = (d: Dimension): NamedIndex | undefined => named.find(({ index }) => index.dimension === d);
  const nameOf = (d: Dimension): string => own(d)?.name ?? names.at(d);
  const removed = new Set(ranks.flatMap((d) => own(d)?.declaration ?? []));
  const all: readonly Replacement[] = [
    ...edits,
    ...geometryEdits(tokens, body, indices, names),
    ...indices.map(({ start, end, dimension }) => replace(start, end, nameOf(dimension))),
    ...returns(tokens, body.statements, locations, false),
    ...[...removed].map((one) => without(source, tokens, one)),
  ];
  const outermost = [...ranks].reverse();
  const at = kernel.name.start;
  const heads = outermost.map((d, k) => {
    const [name, type] = [nameOf(d), own(d)?.type ?? "unsigned"];
    const count = `${names.grid(d)} * ${names.block(d)}`;
    const bound = type === "unsigned" ? count : `(${type})(${count})`;
    const open = k === outermost.length - 1 ? " {" : "";
    return `${indent}${"  ".repeat(k)}for (${type} ${name} = 0; ${name} < ${bound}; ${name}++)${open}`;
  });
  const collapse = ranks.length > 1 ? ` collapse(${ranks.length})` : "";
  const start = itemAt(tokens, body.from - 1).end;
  const end = itemAt(tokens, body.to).start;
  return [
    generated(`#pragma acc parallel loop${collapse}${device}\n${heads.join("\n")}`, at),
    ...trimmedEnd(shifted(cut(source, start, end, all), 2 * ranks.length)),
    generated(`\n${indent}${"  ".repeat(ranks.length - 1)}}\n`, end),
  ];
}

/** A loop over blocks, and in each block loops over the threads between barriers. */
function nested(
  body: Body,
  { ranks, names, edits, device, indent }: Layout,
  { source, tokens, locations, blockSize, macros }: KernelContext,
): readonly Piece[] {
  const hasBarriers = everyStatement(body.statements).some((s) => isBarrier(tokens, s));
  const outermost = [...ranks].reverse();
  const all = [
    ...edits,
    ...geometryEdits(tokens, body, [], names),
    ...returns(tokens, body.statements, locations, hasBarriers),
  ];
  const deep = `${indent}${"  ".repeat(ranks.length)}`;
  const heads = outermost.map((d, k) => {
    const name = names.blockAt(d);
    const open = k === outermost.length - 1 ? " {" : "";
    return `${indent}${"  ".repeat(k)}for (unsigned ${name} = 0; ${name} < ${names.grid(d)}; ${name}++)${open}\n`;
  });
  const collapse = ranks.length > 1 ? ` collapse(${ranks.length})` : "";
  const at = itemAt(tokens, body.from).start;
  const inside = phases(
    body,
    { source, tokens, locations, edits: all, names, macros, ranks: outermost, blockSize },
    deep,
  );
  return [
    generated(`#pragma acc parallel loop gang${collapse}${device}\n${heads.join("")}`, at),
    ...inside,
    generated(`${indent}${"  ".repeat(ranks.length - 1)}}\n`, itemAt(tokens, body.to).start),
  ];
}

/** A thread that returns skips the rest of its iteration. */
function returns(
  tokens: readonly Token[],
  list: readonly Statement[],
  locations: SourceLocations,
  hasBarriers: boolean,
  inLoop = false,
): readonly Replacement[] {
  return list.flatMap((s): readonly Replacement[] => {
    const first = itemAt(tokens, s.from);
    if (s.kind === "simple" && first.text === "return") {
      if (hasBarriers)
        locations.refuse(
          first,
          "a thread returns from a kernel that has barriers",
          "put what the others do into a condition",
        );
      if (inLoop)
        locations.refuse(
          first,
          "a thread returns out of a loop of the kernel",
          "leave the loop by its condition",
        );
      return [rename(first, "continue")];
    }
    const loops = inLoop || s.kind === "for" || s.kind === "while" || s.kind === "do" || s.kind === "switch";
    return returns(tokens, s.inside, locations, hasBarriers, loops);
  });
}

/** Removes a statement, and its line if nothing else is on it. */
function without(source: string, tokens: readonly Token[], { from, to }: Statement): Replacement {
  const [first, last] = [itemAt(tokens, from), itemAt(tokens, to - 1)];
  const line = source.lastIndexOf("\n", first.start) + 1;
  const rest = /^[ \t]*\n/.exec(source.slice(last.end));
  const isAlone = rest !== null && source.slice(line, first.start).trim() === "";
  return isAlone
    ? replace(line, last.end + rest[0].length, "")
    : replace(first.start, last.end + (/^[ \t]*/.exec(source.slice(last.end))?.[0].length ?? 0), "");
}

function trimmedEnd(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  return last ? [...pieces.slice(0, -1), { ...last, text: last.text.replace(/\s+$/, "") }] : pieces;
}
