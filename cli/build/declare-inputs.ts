/** Writes what `--declare-inputs` found into arc.yaml, keeping the user's formatting. */
import { readFileSync, writeFileSync } from "node:fs";
import { isMap, isSeq, type Node, parseDocument, type YAMLMap } from "yaml";
import type { Undeclared } from "../../core/build/model/event.ts";

/**
 * Adds files of the project that actions read or looked for to their `inputs`. Returns the names of changed actions.
 */
export function declareInputs(file: string, found: readonly Undeclared[]): readonly string[] {
  let text = readFileSync(file, "utf8");
  const changed: string[] = [];
  for (const { address, reads, lookedFor } of found) {
    const names = [...reads, ...lookedFor].filter((name) => !name.startsWith("/") && !name.startsWith("../"));
    const edited = names.length === 0 ? undefined : withInputs(text, address, [...new Set(names)].sort());
    if (edited === undefined) continue;
    text = edited;
    changed.push(address);
  }
  if (changed.length > 0) writeFileSync(file, text);
  return changed;
}

/** Undefined if there is no such action, or its text has a form that cannot be extended. */
export function withInputs(text: string, action: string, names: readonly string[]): string | undefined {
  const document = parseDocument(text);
  const entry = document.getIn(["actions", action], true);
  if (!isMap(entry)) return undefined;
  const inputs = entry.get("inputs", true);
  if (inputs !== undefined && !isSeq(inputs)) return undefined;
  const edited =
    inputs === undefined
      ? withKey(text, entry, `inputs: [${names.map(scalar).join(", ")}]`)
      : withItems(text, inputs, names.map(scalar));
  if (edited === undefined) return undefined;
  const after = parseDocument(edited);
  return after.errors.length > 0 ? undefined : edited;
}

const scalar = (name: string): string =>
  /^[\w./-]*[A-Za-z_/][\w./-]*$/.test(name) ? name : JSON.stringify(name);

function withItems(
  text: string,
  list: Node & { readonly items: readonly unknown[]; readonly flow?: boolean },
  items: readonly string[],
) {
  const end = list.range?.[1];
  const last = list.items.at(-1) as Node | undefined;
  if (end === undefined) return undefined;
  if (list.flow) return inFlow(text, end, items.join(", "), last !== undefined);
  const start = list.range?.[0] as number;
  return insert(
    text,
    lineEnd(text, last?.range?.[1] ?? start),
    items.map((item) => `\n${indentOf(text, start)}- ${item}`).join(""),
  );
}

function withKey(text: string, map: YAMLMap, pair: string): string | undefined {
  const [start, end] = map.range ?? [];
  if (start === undefined || end === undefined) return undefined;
  if (map.flow) return inFlow(text, end, pair, map.items.length > 0);
  const last = map.items.at(-1)?.value as Node | null | undefined;
  return insert(text, lineEnd(text, last?.range?.[1] ?? end), `\n${indentOf(text, start)}${pair}`);
}

/** Inserts before the closing bracket of a flow-style list or map. */
function inFlow(text: string, end: number, more: string, isMore: boolean): string {
  let at = end - 1;
  while (/\s/.test(text[at - 1] as string)) at -= 1;
  const comma = !isMore || text[at - 1] === "," ? " " : ", ";
  return insert(text, at, `${isMore ? comma : ""}${more}`);
}

const insert = (text: string, at: number, more: string): string => text.slice(0, at) + more + text.slice(at);

/** End of the line, after any comment. A multi-line value may already end with a line break. */
function lineEnd(text: string, at: number): number {
  const from = text[at - 1] === "\n" ? at - 1 : at;
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

const indentOf = (text: string, at: number): string => " ".repeat(at - (text.lastIndexOf("\n", at - 1) + 1));
