/** Prints a graph of actions for people, for Graphviz, or for Mermaid (which code hosts draw in Markdown). */
import type { Action } from "../../core/build/model/action.ts";

export const graphFormats: Readonly<Record<string, (actions: readonly Action[]) => string>> = {
  text,
  dot,
  mermaid,
  json: (actions) => `${JSON.stringify(actions)}\n`,
};

/** Addresses whose outputs an action reads, each once. */
export function needsOf(action: Action): readonly string[] {
  return [...new Set(action.inputs.flatMap(({ from }) => ("action" in from ? [from.action] : [])))];
}

const promisesOf = ({ expand }: Action): readonly string[] => expand?.promises ?? [];

function text(actions: readonly Action[]): string {
  return actions
    .map((action) => {
      const files = action.inputs.flatMap(({ from }) => ("file" in from ? [from.file] : []));
      const needs = [...needsOf(action), ...files.filter((file) => !file.startsWith("/"))];
      return [
        `${action.address}: ${action.title ?? action.step}`,
        ...needs.map((need) => `  needs ${need}`),
        ...(action.skip === undefined ? [] : [`  not here: ${action.skip}`]),
        ...promisesOf(action).map((address) => `  then ${address}`),
        "",
      ].join("\n");
    })
    .join("");
}

function dot(actions: readonly Action[]): string {
  const quote = (name: string): string => `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const nodes = actions.map(
    (action) => `  ${quote(action.address)} [tooltip=${quote(action.title ?? action.step)}];\n`,
  );
  const edges = actions.flatMap((action) => [
    ...needsOf(action).map((need) => `  ${quote(need)} -> ${quote(action.address)};\n`),
    ...promisesOf(action).map((later) => `  ${quote(action.address)} -> ${quote(later)} [style=dashed];\n`),
  ]);
  return `digraph arc {\n  rankdir=LR;\n  node [shape=box];\n${nodes.join("")}${edges.join("")}}\n`;
}

/** Actions that become known only after another has run have rounded corners. */
function mermaid(actions: readonly Action[]): string {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const add = (address: string, open: string, close: string): void => {
    if (names.has(address)) return;
    names.set(address, `n${names.size}`);
    lines.push(`  ${names.get(address)}${open}"${escaped(address)}"${close}`);
  };
  for (const { address } of actions) add(address, "[", "]");
  for (const action of actions) for (const later of promisesOf(action)) add(later, "(", ")");
  for (const action of actions) {
    const name = names.get(action.address);
    for (const need of needsOf(action)) lines.push(`  ${names.get(need)} --> ${name}`);
    for (const later of promisesOf(action)) lines.push(`  ${name} -.-> ${names.get(later)}`);
  }
  return `flowchart LR\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Escapes characters that have a meaning in Mermaid. */
const escaped = (label: string): string =>
  label.replace(/[#"&<>]/g, (character) => `#${character.codePointAt(0)};`);
