/**
 * Kernels in the program's own C file: functions marked `__kernel` or `__global__`, in a language other than C. They
 * are removed before the text is parsed, leaving a declaration and all line numbers unchanged.
 */

interface OwnKernel {
  readonly name: string;
  /** The kernel with the types and functions of the file that it uses, in their order. */
  readonly source: string;
}

/** A declaration or definition at file scope. */
interface Item {
  readonly start: number;
  /** Where the body of a function begins; undefined for anything else. */
  readonly body?: number;
  readonly end: number;
  readonly file: string;
  readonly line: number;
}

/** A directive that a project adds begins with a comment. */
const isDirected = /^[ \t]*#[ \t]*pragma[ \t]+(\/\*.*?\*\/[ \t]*)?(omp|oss)[ \t]+(task|target)\b/m;
/** As a specifier: the same word may be the program's own name of something. */
const specifier = (words: string) => `(?<!\\b(struct|union|enum)\\s+)\\b(${words})\\b(?=\\s+[A-Za-z_])`;
const marks = new RegExp(specifier("__kernel|__global__|__device__"));
const kernelMarks = new RegExp(specifier("__kernel|__global__"));
const qualifiers = new RegExp(
  `${specifier("__kernel|__global__|__device__|__host__|__global|__local|__constant|__private")}|\\b__restrict__\\b`,
  "g",
);

/** The text without kernels, and the kernels. Text without kernels stays unchanged. `read`: where its directives are, if not all in it. */
export function withoutOwnKernels(
  text: string,
  read: string = text,
): { text: string; kernels: readonly OwnKernel[] } {
  if (!isDirected.test(read) || !marks.test(text)) return { text, kernels: [] };
  const items = itemsIn(text);
  const kernels: OwnKernel[] = [];
  let result = "";
  let done = 0;
  for (const item of items) {
    const head = text.slice(item.start, item.body ?? item.end);
    if (!marks.test(head)) continue;
    const name = nameIn(head);
    if (item.body !== undefined && kernelMarks.test(head) && name)
      kernels.push({ name, source: sourceOf(text, items, item) });
    result += text.slice(done, item.start) + head.replace(qualifiers, (word) => " ".repeat(word.length));
    if (item.body !== undefined) result += `;${text.slice(item.body, item.end).replace(/[^\n]+/g, "")}`;
    done = item.end;
  }
  return { text: result + text.slice(done), kernels };
}

/** The name before the parameters. */
const nameIn = (head: string): string | undefined => /([A-Za-z_]\w*)[ \t\n]*\(/.exec(withoutLines(head))?.[1];

const withoutLines = (text: string): string => text.replace(/^[ \t]*#.*$/gm, "");

/** The item preceded by everything that it uses, directly or indirectly. */
function sourceOf(text: string, items: readonly Item[], kernel: Item): string {
  const textOf = ({ start, end }: Item) => text.slice(start, end);
  const wordsOf = (item: Item) => new Set(withoutLines(textOf(item)).match(/[A-Za-z_]\w*/g) ?? []);
  const kernelWords = wordsOf(kernel);
  const selected = [kernel];
  const before = items.slice(0, items.indexOf(kernel)).reverse();
  for (const item of before) {
    if (item.file !== kernel.file && item.file.startsWith("/usr/")) continue;
    const defined = definedBy(withoutLines(text.slice(item.start, item.body ?? item.end)), item);
    if (!defined.some((name) => kernelWords.has(name))) continue;
    for (const word of wordsOf(item)) kernelWords.add(word);
    selected.unshift(item);
  }
  return selected
    .map((item) => `#line ${item.line} ${JSON.stringify(item.file)}\n${textOf(item).trim()}\n`)
    .join("");
}

/** Names of types, constants and functions. Variables belong to the host. */
function definedBy(head: string, { body }: Item): readonly string[] {
  if (body !== undefined) return [nameIn(head) ?? ""];
  const isType = /^\s*(typedef|struct|union|enum)\b/.test(head) && /[{]|typedef/.test(head);
  if (!isType) return [];
  const tags = [...head.matchAll(/\b(?:struct|union|enum)\s+(\w+)\s*\{/g)].map((m) => m[1] ?? "");
  const constants = [...head.matchAll(/\benum\b[^{]*\{([^}]*)\}/g)].flatMap((m) =>
    (m[1] ?? "").split(",").map((one) => /\w+/.exec(one)?.[0] ?? ""),
  );
  const typedef = /^\s*typedef\b/.test(head) ? [/(\w+)\s*(?:\[[^\]]*\]\s*)*;\s*$/.exec(head)?.[1] ?? ""] : [];
  return [...tags, ...constants, ...typedef].filter((name) => name !== "");
}

/** Preprocessor lines, comments, literals, and single characters. */
const pieces =
  /(^[ \t]*#(?:\\\n|.)*$)|\/\*[\s\S]*?\*\/|\/\/.*$|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\s\S]/gm;

function itemsIn(text: string): readonly Item[] {
  const items: Item[] = [];
  let depth = 0;
  let start: number | undefined;
  let body: number | undefined;
  let last = "";
  const place = { file: "source", line: 1 };
  let at = { ...place };
  for (const match of text.matchAll(pieces)) {
    const [piece, line] = match;
    const { index } = match;
    if (line !== undefined) {
      const marker = /^[ \t]*#(?:[ \t]*line)?[ \t]+(\d+)[ \t]+"([^"]*)"/.exec(piece);
      if (marker) Object.assign(place, { line: Number(marker[1]) - 1, file: marker[2] });
    } else if (start === undefined && /\S/.test(piece) && !/^\/[/*]/.test(piece)) {
      start = index;
      at = { ...place };
    }
    place.line += piece.split("\n").length - 1;
    if (line !== undefined || start === undefined || (piece.length > 1 && !/^["']/.test(piece))) continue;
    if (piece === "{" && depth++ === 0 && last === ")") body = index;
    if (piece === "(") depth++;
    if (piece === ")") depth--;
    const closes = piece === "}" && --depth === 0 && body !== undefined;
    if (closes || (piece === ";" && depth === 0)) {
      items.push({ start, ...(body !== undefined && { body }), end: index + 1, ...at });
      start = body = undefined;
    }
    if (/\S/.test(piece)) last = piece;
  }
  return items;
}
