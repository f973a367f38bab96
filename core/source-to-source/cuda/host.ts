/** Host code of a CUDA source, translated to OpenACC's runtime: memory, copies, errors and launches. */
import { firstOf, itemAt } from "../../checked/access.ts";
import { type Dimension, dimensions } from "./functions.ts";
import { generated, type Replacement, rename, replace } from "./pieces.ts";
import { closing, parts, type SourceLocations, type Token } from "./tokens.ts";

/** A dim3 variable: the texts of its components. */
interface Dim3 {
  readonly name: string;
  readonly sizes: readonly string[];
}

export interface Launch {
  readonly kernel: string;
  readonly grid: readonly string[];
  readonly block: readonly string[];
  readonly at: Token;
  readonly replacement: (rank: number) => readonly Replacement[];
}

export interface HostContext {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly locations: SourceLocations;
}

const text = (source: string, list: readonly Token[]): string =>
  source.slice(list[0]?.start, list.at(-1)?.end);

/** `dim3 a(n, m), b(16);` and `dim3 a = dim3(n);`, which become one constant per dimension. */
export function dim3Variables({ source, tokens, locations }: HostContext): {
  readonly variables: ReadonlyMap<string, Dim3>;
  readonly replacements: readonly Replacement[];
} {
  const variables = new Map<string, Dim3>();
  const replacements: Replacement[] = [];
  for (let k = 0; k < tokens.length; k++) {
    if (tokens[k]?.text !== "dim3" || tokens[k + 1]?.kind !== "name") continue;
    const first = itemAt(tokens, k);
    const start = tokens[k - 1]?.text === "const" ? itemAt(tokens, k - 1) : first;
    let at = k + 1;
    const words: string[] = [];
    for (;;) {
      const name = itemAt(tokens, at);
      let open = at + 1;
      if (tokens[open]?.text === "=" && tokens[open + 1]?.text === "dim3") open += 2;
      const mark = tokens[open]?.text;
      if (mark !== "(" && mark !== "{")
        locations.refuse(
          name,
          `'${name.text}' of type dim3 is not given its sizes here`,
          `write dim3 ${name.text}(x, y, z)`,
        );
      const close = closing(tokens, open);
      const sizes = parts(tokens, open + 1, close).map((part) => withParts(text(source, part), variables));
      if (variables.has(name.text) && variables.get(name.text)?.sizes.join() !== sizes.join())
        locations.refuse(
          name,
          `two variables of type dim3 are called '${name.text}'`,
          "give them different names",
        );
      variables.set(name.text, { name: name.text, sizes });
      words.push(...sizes.map((size, i) => `${name.text}_${dimensions[i]} = ${size}`));
      at = close + 1;
      if (tokens[at]?.text !== ",") break;
      at++;
    }
    if (tokens[at]?.text !== ";")
      locations.refuse(first, "this declaration of type dim3 is not read", "write dim3 name(x, y, z);");
    replacements.push(replace(start.start, itemAt(tokens, at - 1).end, `const unsigned ${words.join(", ")}`));
    k = at;
  }
  return { variables, replacements };
}

/** The sizes of one dim3 are often derived from another's. */
const withParts = (words: string, variables: ReadonlyMap<string, Dim3>): string =>
  words.replace(/\b([A-Za-z_]\w*)\s*\.\s*([xyz])\b/g, (found, name: string, letter: string) => {
    const known = variables.get(name);
    if (known === undefined) return found;
    return dimensions.indexOf(letter as Dimension) < known.sizes.length ? `${name}_${letter}` : "1u";
  });

/** Uses of components, such as `grid.x`, on the host; a dim3 as a value has no counterpart. */
export function dim3Uses(
  { tokens, locations: at }: HostContext,
  variables: ReadonlyMap<string, Dim3>,
  isDone: (at: number) => boolean,
): readonly Replacement[] {
  const locations: SourceLocations = at;
  return tokens.flatMap((token, k): readonly Replacement[] => {
    if (isDone(token.start) || token.kind !== "name") return [];
    const variable = variables.get(token.text);
    const before = tokens[k - 1]?.text;
    if (token.text === "dim3")
      locations.refuse(
        token,
        "dim3 as a type of anything but a launch's sizes has no counterpart",
        "pass the numbers",
      );
    if (!variable || before === "." || before === "->") return [];
    const letter = tokens[k + 2];
    if (tokens[k + 1]?.text !== "." || letter === undefined || !/^[xyz]$/.test(letter.text))
      locations.refuse(
        token,
        `'${token.text}' of type dim3 is used as a value`,
        `use ${token.text}.x, ${token.text}.y and ${token.text}.z`,
      );
    if (/^([+\-*/%]|<<|>>)?=$|^(\+\+|--)$/.test(tokens[k + 3]?.text ?? ""))
      locations.refuse(
        token,
        `'${token.text}.${letter.text}' is changed`,
        "give the variable its sizes where it is declared",
      );
    const i = dimensions.indexOf(letter.text as Dimension);
    return [
      replace(token.start, letter.end, i < variable.sizes.length ? `${token.text}_${letter.text}` : "1u"),
    ];
  });
}

/** `kernel<<<grid, block>>>(arguments)` */
export function launches(
  { source, tokens, locations }: HostContext,
  variables: ReadonlyMap<string, Dim3>,
): readonly Launch[] {
  return tokens.flatMap((token, k): readonly Launch[] => {
    if (token.text !== "<<<") return [];
    const name = itemAt(tokens, k - 1);
    if (name.kind !== "name")
      locations.refuse(token, "what is launched here is no kernel's name", "launch the kernel by its name");
    const close = closing(tokens, k);
    const words = parts(tokens, k + 1, close);
    if (words.length < 2)
      locations.refuse(token, "a launch needs a grid and a block", "write <<<grid, block>>>");
    const [, , memory, stream] = words;
    if (memory && text(source, memory) !== "0")
      locations.refuse(
        firstOf(memory),
        "shared memory whose size the launch says is not read",
        "give the array of the kernel a constant size",
      );
    if (stream && text(source, stream) !== "0")
      locations.refuse(
        firstOf(stream),
        "launches in streams are not read",
        "launch the kernel in the default stream",
      );
    const sizes = (part: readonly Token[]): readonly string[] => {
      const [first] = part;
      const variable = part.length === 1 ? variables.get(first?.text ?? "") : undefined;
      if (variable) return variable.sizes.map((_, i) => `${variable.name}_${dimensions[i]}`);
      if (first?.text === "dim3") return parts(part, 2, part.length - 1).map((one) => text(source, one));
      return [text(source, part)];
    };
    const [grid, block] = [sizes(words[0] ?? []), sizes(words[1] ?? [])];
    const open = itemAt(tokens, close + 1);
    const isEmpty = tokens[close + 2]?.text === ")";
    const constant = (part: readonly Token[], list: readonly string[]): readonly string[] =>
      part.length === 1 ? (variables.get(part[0]?.text ?? "")?.sizes ?? list) : list;
    return [
      {
        kernel: name.text,
        grid,
        block: constant(words[1] ?? [], block),
        at: name,
        replacement(rank) {
          for (const [list, own] of [
            [constant(words[0] ?? [], grid), grid],
            [constant(words[1] ?? [], block), block],
          ])
            for (const [i, size] of (list ?? []).entries())
              if (i >= rank && size !== "1")
                locations.refuse(
                  name,
                  `the launch has ${own?.[i]} in dimension ${dimensions[i]}, of which '${name.text}' makes no use: each of its threads runs as often`,
                  "leave the dimension out",
                );
          const all = [grid, block].flatMap((list) =>
            dimensions.slice(0, rank).map((_, i) => list[i] ?? "1"),
          );
          return [replace(token.start, open.end, `(${all.join(", ")}${isEmpty ? "" : ", "}`)];
        },
      },
    ];
  });
}

interface Call {
  readonly name: Token;
  readonly args: readonly (readonly Token[])[];
  readonly close: Token;
  /** It is a whole statement. */
  readonly alone: boolean;
  /** The `;` after it. */
  readonly end: Token | undefined;
}

const untranslatable: readonly (readonly [RegExp, string, string])[] = [
  [
    /^cuda(Stream|LaunchKernel|MemcpyAsync|MemsetAsync|LaunchCooperative|Graph)/,
    "streams and launches by call are not read",
    "use the default stream",
  ],
  [/^cudaEvent/, "events have no counterpart", "measure the time on the host, behind cudaDeviceSynchronize"],
  [
    /^cuda(MallocManaged|MemAdvise|MemPrefetch)/,
    "managed memory has no counterpart here",
    "allocate with cudaMalloc and copy",
  ],
  [
    /^cuda(MallocHost|HostAlloc|FreeHost|HostRegister|HostGetDevicePointer)/,
    "pinned host memory has no counterpart",
    "allocate it with malloc",
  ],
  [
    /^cuda(BindTexture|CreateTexture|CreateSurface|\w*Array)/,
    "textures and arrays of CUDA have no counterpart",
    "use memory of cudaMalloc",
  ],
];

/** Calls of the CUDA runtime and its constants. */
export function runtimeCalls({ source, tokens, locations }: HostContext): readonly Replacement[] {
  const found: Replacement[] = [];
  for (const [k, name] of tokens.entries()) {
    const constant = constants[name.text];
    if (constant !== undefined && tokens[k + 1]?.text !== "(") found.push(rename(name, constant));
    if (
      /^cu[A-Z]\w*$/.test(name.text) &&
      tokens[k + 1]?.text === "(" &&
      /^cu(Mem|Launch|Ctx|Module|Device|Init|Stream)/.test(name.text)
    )
      locations.refuse(name, `'${name.text}' is CUDA's driver API, which is not read`, "use the runtime API");
    if (!/^cuda[A-Z]\w*$/.test(name.text) || constant !== undefined) continue;
    if (tokens[k + 1]?.text !== "(") {
      if (/^cudaMemcpy[A-Z]|^cudaError_t$/.test(name.text)) continue;
      refuseCall(name, locations);
    }
    const close = closing(tokens, k + 1);
    const before = tokens[k - 1]?.text ?? ";";
    const end = tokens[close + 1];
    const alone =
      /^([;{})]|else|do)$/.test(before) && end?.text === ";" && !(before === ")" && isCast(tokens, k - 1));
    const call: Call = { name, args: parts(tokens, k + 2, close), close: itemAt(tokens, close), alone, end };
    found.push(...callEdits(call, source, locations));
  }
  return found;
}

const isCast = (tokens: readonly Token[], k: number): boolean =>
  tokens[k - 1]?.text === "void" && tokens[k - 2]?.text === "(";

const constants: Readonly<Record<string, string>> = {
  cudaSuccess: "0",
  cudaErrorMemoryAllocation: "2",
  cudaError_t: "int",
  nullptr: "NULL",
};

function refuseCall(name: Token, locations: SourceLocations): never {
  const [, message, remedy] = untranslatable.find(([pattern]) => pattern.test(name.text)) ?? [
    undefined,
    "it has no counterpart in OpenACC",
    "leave it out, or write it with cudaMalloc, cudaMemcpy and kernels",
  ];
  locations.refuse(name, `'${name.text}': ${message}`, remedy);
}

const copies: Readonly<Record<string, string>> = {
  cudaMemcpyHostToDevice: "acc_memcpy_to_device",
  cudaMemcpyDeviceToHost: "acc_memcpy_from_device",
  cudaMemcpyDeviceToDevice: "acc_memcpy_device",
  cudaMemcpyHostToHost: "memcpy",
};

/** Where a variable of the device is on the host, be it an array or one value. */
const addressOf = (symbol: string): string => `&${symbol}`;

function callEdits(call: Call, source: string, locations: SourceLocations): readonly Replacement[] {
  const { name, args, close, alone } = call;
  const arg = (k: number): string => text(source, args[k] ?? []);
  const needs = (count: number): void => {
    if (args.length !== count)
      locations.refuse(name, `'${name.text}' takes ${count} arguments`, "give it these");
  };
  const replaceCall = (words: string): readonly Replacement[] => [replace(name.start, close.end, words)];
  /** A call whose value is its error code. */
  const errorCall = (words: string): readonly Replacement[] => replaceCall(alone ? words : `(${words}, 0)`);
  const nothing = (): readonly Replacement[] => (alone ? replaceCall("(void)0") : replaceCall("0"));
  const statement = (lines: readonly string[]): readonly Replacement[] => {
    if (!alone)
      locations.refuse(name, `the value of '${name.text}' is used`, "make the call a statement of its own");
    const line = source.lastIndexOf("\n", name.start) + 1;
    const gap = /^\s*/.exec(source.slice(line, name.start))?.[0] ?? "";
    const words = [
      "{",
      ...lines.map((one) => (one.startsWith("#") ? one : `${gap}  ${one}`)),
      `${gap}}`,
    ].join("\n");
    return [{ start: name.start, end: call.end?.end ?? close.end, pieces: [generated(words, name.start)] }];
  };
  switch (name.text) {
    case "cudaMalloc": {
      needs(2);
      const amp = (args[0] ?? []).findIndex(({ text: word }) => word === "&");
      const place = amp >= 0 ? text(source, (args[0] ?? []).slice(amp + 1)) : `*(${arg(0)})`;
      const words = `${place} = acc_malloc(${arg(1)})`;
      return replaceCall(alone ? words : `((${words}) == NULL ? 2 : 0)`);
    }
    case "cudaFree":
      needs(1);
      return errorCall(`acc_free(${arg(0)})`);
    case "cudaMemcpy": {
      needs(4);
      const to = copies[arg(3)];
      if (to === undefined)
        locations.refuse(
          args[3]?.[0] ?? name,
          `'${arg(3)}' does not say which way the copy goes`,
          "write cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost or cudaMemcpyDeviceToDevice",
        );
      return errorCall(`${to}(${arg(0)}, ${arg(1)}, ${arg(2)})`);
    }
    case "cudaMemset":
      needs(3);
      return statement([
        `char *bytes_set = (char *)(${arg(0)});`,
        `const unsigned long count_set = ${arg(2)};`,
        `const int value_set = ${arg(1)};`,
        "#pragma acc parallel loop deviceptr(bytes_set)",
        "for (unsigned long k = 0; k < count_set; k++)",
        "  bytes_set[k] = value_set;",
      ]);
    case "cudaMemcpyToSymbol":
      needs(3);
      return statement([
        `memcpy(${addressOf(arg(0))}, ${arg(1)}, ${arg(2)});`,
        `#pragma acc update device(${arg(0)})`,
      ]);
    case "cudaMemcpyFromSymbol":
      needs(3);
      return statement([
        `#pragma acc update self(${arg(1)})`,
        `memcpy(${arg(0)}, ${addressOf(arg(1))}, ${arg(2)});`,
      ]);
    case "cudaDeviceSynchronize":
    case "cudaThreadSynchronize":
    case "cudaDeviceReset":
    case "cudaGetLastError":
    case "cudaPeekAtLastError":
      needs(0);
      return nothing();
    case "cudaGetErrorString":
    case "cudaGetErrorName":
      return replaceCall(`((void)(${arg(0)}), "an error of the device")`);
    default:
      return refuseCall(name, locations);
  }
}
