/** arc.yaml as a document that knows the position of every value. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import type { Diagnostic, SourceLocation } from "./diagnostic.ts";

/** Limit of nested aliases, counted as in toJS. */
const MOST_ALIASES = 100;
const MERGE = "<<";

export type Path = readonly (string | number)[];

export class ArcDocument {
  readonly diagnostics: readonly Diagnostic[];
  readonly #file: string;
  readonly #text: string;
  readonly #lines = new LineCounter();
  /** Made on demand: for JSON it is needed only for positions. */
  #document: Document | undefined;
  #parsed = false;
  /** Pairs by key: the package's own look-up searches the whole mapping. */
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  #value: unknown;
  /** The last position whose column was counted. */
  #counted = { lineStart: 0, offset: 0, bytes: 0 };

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#value = plainJson(text);
    this.diagnostics = this.#value === undefined ? this.#parse() : [];
  }

  #parse(): readonly Diagnostic[] {
    this.#parsed = true;
    const parsed = parseAllDocuments(this.#text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // Checked below: the package compares every key with every other one.
      uniqueKeys: false,
      merge: true,
    });
    const documents = "empty" in parsed ? [] : parsed;
    this.#document = documents[0];
    const diagnostics: Diagnostic[] = [];
    /** Reports one error per line: the package's further errors there follow from the first. */
    const reportedLines = new Set<number>();
    let hasTab = false;
    for (const document of documents) {
      for (const problem of [...document.errors, ...document.warnings]) {
        const error = problem.name === "YAMLParseError";
        const loc = this.#place(problem.pos[0]);
        const follows =
          reportedLines.has(loc.line) ||
          (problem.code === "RESOURCE_EXHAUSTION" && reportedLines.size > 0) ||
          // A line indented by a tab has no column, and the lines after it are compared with it.
          (problem.code === "BAD_INDENT" && hasTab);
        if (follows) continue;
        hasTab ||= problem.code === "TAB_AS_INDENT";
        reportedLines.add(loc.line);
        diagnostics.push({
          severity: error ? "error" : "warning",
          code: error ? "yaml-syntax" : "yaml-warning",
          loc,
          end: this.#place(Math.max(problem.pos[1], problem.pos[0] + 1)),
          ...inOurWords(problem.code, problem.message),
        });
      }
    }
    for (const document of documents) diagnostics.push(...this.#keysAndAliases(document));
    this.#read(diagnostics);
    const second = documents[1];
    if (second !== undefined) {
      diagnostics.push({
        severity: "error",
        code: "yaml-syntax",
        message: "arc.yaml is one document, but `---` starts another here",
        loc: this.#place(second.range[0]),
      });
    }
    return diagnostics;
  }

  /** The file as plain data; undefined for an empty file, and if it has errors. */
  value(): unknown {
    return this.#value;
  }

  #read(diagnostics: Diagnostic[]): void {
    if (this.#value !== undefined || diagnostics.some((d) => d.severity === "error")) return;
    try {
      this.#value = this.#document?.toJS({ maxAliasCount: MOST_ALIASES });
    } catch (error) {
      // A few lines of nested aliases can expand to gigabytes.
      if (!(error instanceof ReferenceError)) throw error;
      diagnostics.push({
        severity: "error",
        code: "yaml-syntax",
        message: "aliases repeat what holds aliases again and again",
        ...this.#range(this.#document?.contents ?? undefined),
        remedy: "write the values out",
      });
    }
  }

  /** Start and end of the value at `path`, or of the nearest enclosing value that exists. */
  locationOf(path: Path): { loc: SourceLocation; end: SourceLocation } {
    const node = this.#node(path);
    // `key:` without a value has an empty node after the colon; the key is what a reader sees.
    if (isScalar(node) && node.value === null && node.source === "" && path.length > 0)
      return this.locationOfKey(path);
    return this.#range(node ?? this.#nearestNode(path));
  }

  /** Position of the key of the value at `path`. */
  locationOfKey(path: Path): { loc: SourceLocation; end: SourceLocation } {
    const key = path.at(-1);
    const parent = this.#node(path.slice(0, -1));
    if (isMap(parent)) {
      const pair = this.#pairsOf(parent).get(String(key));
      if (pair !== undefined && isNode(pair.key)) return this.#range(pair.key);
    }
    return this.#range(this.#nearestNode(path));
  }

  /** The source text of a scalar: `1e-5` stays `1e-5`. */
  sourceOf(path: Path): string | undefined {
    const plain = this.#parsed ? undefined : valueAt(this.#value, path);
    if (typeof plain === "string") return plain;
    const node = this.#target(this.#node(path));
    if (!isScalar(node)) return undefined;
    return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
  }

  #node(path: Path): Node | undefined {
    if (!this.#parsed) this.#parse();
    let node: unknown = this.#document?.contents;
    for (const step of path) {
      node = this.#target(node);
      if (isMap(node)) node = this.#pairsOf(node).get(String(step))?.value;
      else if (isSeq(node)) node = node.items[Number(step)];
      else return undefined;
    }
    return isNode(node) ? node : undefined;
  }

  /** Resolves an alias. */
  #target(node: unknown): unknown {
    return isAlias(node) && this.#document ? node.resolve(this.#document) : node;
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    let pairs = this.#pairs.get(map);
    if (pairs === undefined) {
      const own = map.items.filter((pair) => keyOf(pair) !== MERGE);
      pairs = new Map([...this.#mergedInto(map), ...own.map((pair) => [keyOf(pair), pair] as const)]);
      this.#pairs.set(map, pairs);
    }
    return pairs;
  }

  /** `<<: *other`: the pairs of another mapping, or of several, of which the first takes precedence. */
  #mergedInto(map: YAMLMap): readonly (readonly [string, Pair])[] {
    const value = this.#target(map.items.find((pair) => keyOf(pair) === MERGE)?.value);
    const merged = isSeq(value) ? value.items.map((item) => this.#target(item)).reverse() : [value];
    return merged.flatMap((other) => (isMap(other) && other !== map ? [...this.#pairsOf(other)] : []));
  }

  #keysAndAliases(document: Document): Diagnostic[] {
    const diagnostics: Diagnostic[] = [];
    const wrong = (node: Node, message: string, remedy: string): void => {
      diagnostics.push({ severity: "error", code: "yaml-syntax", message, ...this.#range(node), remedy });
    };
    visit(document, {
      Map: (_, map) => {
        const keys = new Set<string>();
        for (const pair of map.items) {
          if (!isNode(pair.key)) continue;
          if (!isScalar(pair.key)) {
            wrong(pair.key, "this key is no text", "write `key: value`");
            continue;
          }
          const key = keyOf(pair);
          if (keys.has(key)) wrong(pair.key, "this key is already there", "keep one of the two");
          keys.add(key);
        }
      },
      Alias: (_, alias: Alias) => {
        if (alias.resolve(document) !== undefined) return;
        const remedy = `put \`&${alias.source}\` before the value that is meant, or quotes around text that begins with \`*\``;
        wrong(alias, `nothing is called \`${alias.source}\` before this`, remedy);
      },
    });
    return diagnostics;
  }

  #nearestNode(path: Path): Node | undefined {
    for (let length = path.length - 1; length >= 0; length--) {
      const node = this.#node(path.slice(0, length));
      if (node !== undefined) return node;
    }
    return undefined;
  }

  #range(node: Node | undefined): { loc: SourceLocation; end: SourceLocation } {
    const start = node?.range?.[0] ?? 0;
    return { loc: this.#place(start), end: this.#place(Math.max(node?.range?.[1] ?? 0, start)) };
  }

  #place(offset: number): SourceLocation {
    const { line, col } = this.#lines.linePos(offset);
    if (line === 0) return { file: this.#file, line: 1, col: 1 };
    return { file: this.#file, line, col: this.#bytes(offset - (col - 1), offset) + 1 };
  }

  /**
   * Bytes from the start of a line. Generated files have one long line, so counting continues from the last position.
   */
  #bytes(lineStart: number, offset: number): number {
    const last = this.#counted;
    const goesOn = last.lineStart === lineStart && last.offset <= offset;
    const bytes = goesOn
      ? last.bytes + Buffer.byteLength(this.#text.slice(last.offset, offset))
      : Buffer.byteLength(this.#text.slice(lineStart, offset));
    this.#counted = { lineStart, offset, bytes };
    return bytes;
  }
}

/**
 * Parses arc.yaml as JSON, the form in which programs write it: a hundred times as fast as YAML. Undefined for anything
 * else, including repeated keys.
 */
function plainJson(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value) === keysWritten(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const part of Object.values(value)) if (typeof part === "object") keys += keysIn(part);
  return keys;
}

/** Counts keys in JSON text: strings followed by a colon. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at);
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (text.charCodeAt(at) === COLON) keys += 1;
  }
  return keys;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Index after the string that starts at a quote. */
function endOfString(text: string, quote: number): number {
  let at = quote + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** White space of JSON. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

function keyOf({ key }: Pair): string {
  if (!isScalar(key)) return String(key);
  return typeof key.value === "symbol" ? MERGE : String(key.value);
}

/** Replaces messages of the yaml package by ones that need no knowledge of YAML. */
function inOurWords(code: string, message: string): { readonly message: string; readonly remedy?: string } {
  if (code === "TAB_AS_INDENT") return { message: "a tab in the indentation", remedy: "indent with spaces" };
  if (code === "RESOURCE_EXHAUSTION") return { message: "brackets in brackets, deeper than arc reads" };
  const open = /^Flow (sequence|map) in block collection/.exec(message)?.[1];
  if (open !== undefined) {
    const [left, right] = open === "map" ? ["{", "}"] : ["[", "]"];
    return { message: `a \`${left}\` before this is not closed`, remedy: `write \`${right}\` where it ends` };
  }
  const quote = /^Missing closing (['"])quote/.exec(message)?.[1];
  if (quote !== undefined)
    return { message: `a text that ${quote} began does not end`, remedy: `write ${quote} behind it` };
  if (code === "BLOCK_AS_IMPLICIT_KEY")
    return { message: "a second `key:` in one value", remedy: "put quotes around a value that holds `: `" };
  if (code === "MULTILINE_IMPLICIT_KEY")
    return { message: "this begins no `key: value`", remedy: "write `:` behind the key" };
  if (code === "BAD_SCALAR_START")
    return { message: message.replace("Plain value", "a value without quotes"), remedy: "put it in quotes" };
  return { message: message.replace(/\s*$/, "") };
}
