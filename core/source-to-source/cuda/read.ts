/**
 * Translates a CUDA source to C with OpenACC directives: kernels become functions with loops over blocks and threads;
 * device memory is allocated and copied by OpenACC's runtime. Code that directives cannot express is refused at its
 * location.
 */
import { itemAt } from "../../checked/access.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { Decision } from "../model/source.ts";
import { CannotSay } from "../sites/rewrite.ts";
import { deviceEdits } from "./body.ts";
import { type DeviceWord, declarations, type Kernel } from "./functions.ts";
import { dim3Uses, dim3Variables, type HostContext, type Launch, launches, runtimeCalls } from "./host.ts";
import { kernelRewrite } from "./kernel.ts";
import { macrosIn } from "./macros.ts";
import { cut, generated, linesOf, type Replacement, rename, replace, textOf } from "./pieces.ts";
import { statementsIn } from "./statements.ts";
import { type Line, SourceLocations, type Token, type Tokens, tokensOf } from "./tokens.ts";

export interface ReadCuda {
  readonly text: string;
  /** For each line of the text, the corresponding line of the source. */
  readonly lines: readonly number[];
  readonly decisions: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
}

export const isCuda = (file: string): boolean => file.endsWith(".cu");

export function readCuda(text: string, file: string): ReadCuda {
  try {
    return read(text, file);
  } catch (problem) {
    if (!(problem instanceof CannotSay)) throw problem;
    return { text, lines: [], decisions: [], diagnostics: [problem.diagnostic] };
  }
}

function read(source: string, file: string): ReadCuda {
  const found = tokensOf(source);
  const tokens = found.code;
  const locations: SourceLocations = new SourceLocations(file, source);
  const decisions: Decision[] = [];
  const decide = (at: number, was: string, now: readonly string[], because: string): void => {
    decisions.push({ loc: locations.at(at), was, now, because: [because] });
  };
  refuseHiddenIndices(found.inMacros, tokens, locations);
  const { kernels, words } = declarations(tokens, locations);
  const host: HostContext = { source, tokens, locations };
  const dim3 = dim3Variables(host);
  const calls = launches(host, dim3.variables);
  const usedNames = new Set([...tokens, ...found.inMacros].map((token) => token.text));
  const macros = macrosIn(found.inMacros);
  const ranks = ranksOf(kernels);
  const replacements: Replacement[] = [...dim3.replacements];
  for (const kernel of kernels) {
    const rank = ranks.get(kernel.name.text) ?? 1;
    const blockSize = blockSizeOf(kernel, rank, calls, found);
    const { replacements: own, because } = kernelRewrite(kernel, rank, {
      source,
      tokens,
      locations,
      usedNames,
      macros,
      blockSize,
    });
    replacements.push(...own);
    if (kernel.body)
      decide(kernel.start, `__global__ void ${kernel.name.text}`, ["#pragma acc parallel loop"], because);
  }
  const inKernels = kernels.flatMap(({ body }) => (body ? [[body.from, body.to] as const] : []));
  const inside = (k: number): boolean => inKernels.some(([from, to]) => from <= k && k < to);
  for (const call of calls) {
    const at = tokens.indexOf(call.at);
    if (inside(at)) continue;
    const rank = ranks.get(call.kernel);
    if (rank === undefined)
      locations.refuse(
        call.at,
        `the kernel '${call.kernel}' is not in this file`,
        "put the kernel and its launches into one file",
      );
    const own = call.replacement(rank);
    replacements.push(...own);
    decide(
      call.at.start,
      `${call.kernel}<<<...>>>`,
      [`${call.kernel}${own.map(({ pieces }) => textOf(pieces)).join("")}...)`],
      "a launch calls the function; it ends when the kernel has",
    );
  }
  for (const word of words) replacements.push(...wordEdits(word, host));
  const done = (at: number): boolean => replacements.some(({ start, end }) => start <= at && at < end);
  replacements.push(
    ...dim3Uses({ ...host, tokens: tokens.filter((_, k) => !inside(k)) }, dim3.variables, done),
  );
  const runtime = { ...host, tokens: tokens.filter((_, k) => !inside(k)) };
  replacements.push(...runtimeCalls(runtime), ...runtimeCalls({ ...host, tokens: found.inMacros }));
  replacements.push(...externC(found), ...includes(found.lines, locations, replacements));
  const pieces = cut(source, 0, source.length, replacements);
  return {
    text: textOf(pieces),
    lines: linesOf(pieces, (offset) => locations.lineAt(offset)),
    decisions: decisions.sort((a, b) => a.loc.line - b.loc.line || a.loc.col - b.loc.col),
    diagnostics: [],
  };
}

function ranksOf(kernels: readonly Kernel[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const { name, rank } of kernels) ranks.set(name.text, Math.max(1, rank, ranks.get(name.text) ?? 1));
  return ranks;
}

/** The constants that all launches of a kernel use as block size. */
function blockSizeOf(
  kernel: Kernel,
  rank: number,
  calls: readonly Launch[],
  { lines }: Tokens,
): readonly string[] | undefined {
  const own = calls.filter((call) => call.kernel === kernel.name.text);
  const macros = new Set(
    lines.flatMap(({ text }) => /^\s*#\s*define\s+([A-Za-z_]\w*)\s+\(?\d/.exec(text)?.[1] ?? []),
  );
  const isConstant = (size: string): boolean =>
    size.split(/[\s*+()]+/).every((word) => word === "" || /^\d+u?$/.test(word) || macros.has(word));
  const sizes = own.map(({ block }) => Array.from({ length: rank }, (_, i) => block[i] ?? "1"));
  const [first] = sizes;
  const isSame = sizes.every((list) => list.join() === first?.join() && list.every(isConstant));
  return first && isSame ? first : undefined;
}

/** `__device__` functions become routines; device variables are declared for the device. */
function wordEdits(word: DeviceWord, { source, tokens, locations }: HostContext): readonly Replacement[] {
  const { words, name, is, start, initialised, body } = word;
  const removals = words.map((token) => {
    const space = /^[ \t]*/.exec(source.slice(token.end))?.[0].length ?? 0;
    return replace(token.start, token.end + space, "");
  });
  const inlined = tokens
    .filter(
      (token) => token.start >= start && token.end <= name.start && /^__(force|no)inline__$/.test(token.text),
    )
    .map((token) => rename(token, token.text === "__forceinline__" ? "static" : ""));
  const isDevice = words.some(({ text }) => text === "__device__" || text === "__constant__");
  if (!isDevice) return removals;
  if (is === "variable") {
    const clause = initialised ? "copyin" : "create";
    const semicolon = tokens.find((token) => token.start >= name.end && token.text === ";");
    const end = semicolon?.end ?? name.end;
    return [
      ...removals.map((one, k) => (k === 0 ? { ...one, pieces: [generated("static ", one.start)] } : one)),
      { start: end, end, pieces: [generated(`\n#pragma acc declare ${clause}(${name.text})`, end)] },
    ];
  }
  const edits = body
    ? deviceEdits(
        source,
        tokens,
        { from: body[0], to: body[1], statements: statementsIn(tokens, body[0], body[1], locations) },
        locations,
      )
    : [];
  return [
    { start, end: start, pieces: [generated("#pragma acc routine seq\n", start)] },
    ...removals,
    ...inlined,
    ...edits,
  ];
}

/** `extern "C"` before a function is meaningless in C. */
function externC({ code }: Tokens): readonly Replacement[] {
  return code.flatMap((token, k) =>
    token.text === "extern" && code[k + 1]?.kind === "literal"
      ? [rename(token, ""), rename(itemAt(code, k + 1), "")]
      : [],
  );
}

const cuda =
  /^(cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters|cuda_fp16|helper_cuda|driver_types|vector_types)(\.h)?$/;
const ofC = /^c(stdio|stdlib|math|string|assert|float|limits|time|stdint|stddef|ctype|errno)$/;

function includes(
  lines: readonly Line[],
  locations: SourceLocations,
  replacements: readonly Replacement[],
): readonly Replacement[] {
  const all = lines.flatMap(({ text, start }) => {
    const found = /^\s*#\s*include\s*[<"]([^>"]*)[>"]/.exec(text);
    return found ? [{ name: itemAt(found, 1), start, end: start + text.length }] : [];
  });
  const edits = all.flatMap(({ name, start, end }): readonly Replacement[] => {
    if (cuda.test(name)) return [replace(start, end, "")];
    if (ofC.test(name)) return [replace(start, end, `#include <${name.slice(1)}.h>`)];
    if (
      !/\.(h|inc|c)$/.test(name) ||
      /^(thrust|cub|cooperative_groups|curand|cublas|cufft|cusparse|mma)/.test(name)
    )
      locations.refuse(
        start,
        `the header '${name}' belongs to C++ or to a library of CUDA`,
        "leave it out, with what uses it",
      );
    return [];
  });
  const words = replacements.map(({ pieces }) => textOf(pieces)).join("\n");
  const needed = [
    ...(/\bacc_\w+\(/.test(words) ? ["openacc.h"] : []),
    ...(/\bNULL\b/.test(words) && !all.some(({ name }) => /^(c?std(lib|io|def)|string)(\.h)?$/.test(name))
      ? ["stddef.h"]
      : []),
    ...(/\bmemcpy\(/.test(words) && !all.some(({ name }) => /^(cstring|string\.h)$/.test(name))
      ? ["string.h"]
      : []),
  ].map((name) => `#include <${name}>`);
  if (needed.length === 0) return edits;
  const first = all.find(({ name }) => cuda.test(name));
  if (first)
    return edits.map((one) =>
      one.start === first.start ? replace(one.start, one.end, needed.join("\n")) : one,
    );
  const at = all[0]?.start ?? 0;
  return [
    ...edits.filter(({ start }) => start !== at),
    replace(at, at, `${needed.join("\n")}\n`),
    ...edits.filter(({ start }) => start === at),
  ];
}

/** Kernels are read as they are written: what a macro says of the thread is not seen there. */
function refuseHiddenIndices(
  inMacros: readonly Token[],
  tokens: readonly Token[],
  locations: SourceLocations,
): void {
  for (const [k, { text }] of inMacros.entries()) {
    if (!/^(threadIdx|blockIdx|blockDim|gridDim|__syncthreads)$/.test(text)) continue;
    const define = inMacros.slice(0, k).findLastIndex((token) => token.text === "define");
    const macro = inMacros[define + 1];
    const use = macro && tokens.find((token) => token.text === macro.text);
    if (use)
      locations.refuse(
        use,
        `the macro '${use.text}' stands for '${text}', and kernels are read as they are written`,
        `write '${text}' in the kernel, or assign it to a variable there`,
      );
  }
}
