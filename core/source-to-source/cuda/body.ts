/** Kernel code beyond C: atomic additions, loads through caches, and what loops on arbitrary devices cannot express. */
import { itemAt } from "../../checked/access.ts";
import { type Replacement, rename, replace } from "./pieces.ts";
import { everyStatement, type Statement } from "./statements.ts";
import { closing, parts, type SourceLocations, type Token } from "./tokens.ts";

const updates: Readonly<Record<string, string>> = {
  atomicAdd: "+=",
  atomicSub: "-=",
  atomicAnd: "&=",
  atomicOr: "|=",
  atomicXor: "^=",
};

const textures = /^(tex[123]D\w*|texCubemap\w*|surf[123]D(read|write)|texture|surface|cudaTextureObject_t)$/;
const warps =
  /^(__shfl\w*|__ballot\w*|__any\w*|__all\w*|__syncwarp|__activemask|__match_\w*|__reduce_\w*|warpSize)$/;
const known =
  /^__(shared__|syncthreads|ldg|restrict__|restrict|inline__|forceinline__|noinline__|launch_bounds__|func__|device__|host__|global__)$/;

/** Edits of device code, in kernels and functions, between tokens `from` and `to`. */
export function deviceEdits(
  source: string,
  tokens: readonly Token[],
  {
    from,
    to,
    statements,
  }: { readonly from: number; readonly to: number; readonly statements: readonly Statement[] },
  locations: SourceLocations,
): readonly Replacement[] {
  const found: Replacement[] = [];
  const alone = new Set(
    everyStatement(statements)
      .filter(({ kind }) => kind === "simple")
      .map((one) => one.from),
  );
  for (let k = from; k < to; k++) {
    const token = itemAt(tokens, k);
    const { text } = token;
    if (text === "<<<")
      locations.refuse(
        token,
        "a kernel that launches kernels (dynamic parallelism) has no counterpart in directives",
        "launch the inner kernel from the host",
      );
    if (token.kind !== "name") continue;
    if (textures.test(text))
      locations.refuse(
        token,
        `'${text}': textures and surfaces have no counterpart in directives`,
        "read the array through a pointer",
      );
    if (warps.test(text))
      locations.refuse(
        token,
        `'${text}': lanes of a warp that exchange values have no counterpart in loops`,
        "exchange values through shared memory with __syncthreads between",
      );
    if (/^__(threadfence\w*|syncthreads_(count|and|or))$/.test(text))
      locations.refuse(
        token,
        `'${text}' has no counterpart in directives`,
        "end the kernel where blocks have to see each other's values",
      );
    if (/^cuda[A-Z]/.test(text))
      locations.refuse(token, `'${text}' in device code has no counterpart`, "call it on the host");
    if (text.startsWith("cooperative_groups") || text === "this_grid" || text === "this_thread_block")
      locations.refuse(
        token,
        "cooperative groups are not read",
        "use __syncthreads, and several kernels for the whole grid",
      );
    if (/^(min|max)$/.test(text) && tokens[k + 1]?.text === "(")
      locations.refuse(
        token,
        `'${text}' is a function of CUDA's C++`,
        "write a comparison, or fmin and fmax",
      );
    if (/^(static_cast|reinterpret_cast|auto|new|delete|class|namespace|std)$/.test(text))
      locations.refuse(token, `'${text}' is C++: arc reads CUDA's kernels in C`, "write it in C");
    if (text === "asm" || text === "__asm__")
      locations.refuse(token, "assembly in a kernel is for one device", "write it in C");
    if (text.startsWith("atomic")) {
      found.push(...atomicEdits(source, tokens, k, alone.has(k), locations));
      continue;
    }
    if (text === "__ldg") found.push(rename(token, "*"));
    else if (/^__(forceinline|noinline)__$/.test(text)) found.push(rename(token, "inline"));
    else if (text === "nullptr") found.push(rename(token, "NULL"));
    else if (/^__[a-z]/.test(text) && !known.test(text))
      locations.refuse(
        token,
        `'${text}' is a function of CUDA alone`,
        "call the function of math.h, or write it in C",
      );
  }
  return found;
}

function atomicEdits(
  source: string,
  tokens: readonly Token[],
  k: number,
  isAlone: boolean,
  locations: SourceLocations,
): readonly Replacement[] {
  const name = itemAt(tokens, k);
  const op = updates[name.text];
  if (op === undefined)
    locations.refuse(
      name,
      `'${name.text}' has no counterpart: OpenACC's atomic updates are those of C's operators`,
      "write a reduction, or an update that atomicAdd, Sub, And, Or or Xor can make",
    );
  const close = closing(tokens, k + 1);
  if (!isAlone || tokens[close + 1]?.text !== ";")
    locations.refuse(
      name,
      `what '${name.text}' returns is used`,
      "make it a statement of its own, or read the value in the kernel behind it",
    );
  const [target = [], value = []] = parts(tokens, k + 2, close);
  const text = (list: readonly Token[]): string => source.slice(list[0]?.start, list.at(-1)?.end);
  const place = target[0]?.text === "&" ? text(target.slice(1)) : `*(${text(target)})`;
  const column = name.start - (source.lastIndexOf("\n", name.start) + 1);
  const before = source.slice(name.start - column, name.start);
  const gap = before.trim() === "" ? "" : "\n";
  // Location and value are copied from the source, apart from renamings inside them.
  const [first, last] = target[0]?.text === "&" ? ["", ""] : ["*(", ")"];
  const start = (target[0]?.text === "&" ? target[1] : target[0])?.start ?? name.end;
  return place === "" || value.length === 0
    ? locations.refuse(name, `'${name.text}' takes a place and a value`, "write both")
    : [
        replace(
          name.start,
          start,
          `${gap}#pragma acc atomic update\n${/^\s*/.exec(before)?.[0] ?? ""}${gap === "" ? "" : "  "}${first}`,
        ),
        replace(target.at(-1)?.end ?? start, value[0]?.start ?? start, `${last} ${op} `),
        replace(itemAt(tokens, close).start, itemAt(tokens, close).end, ""),
      ];
}
