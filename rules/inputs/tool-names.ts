/**
 * Names of regions for slow tools. A region's own name is unique in the program and changes with everything that its
 * directive says, including transfers before a launch and the number of gangs. If a kernel's text stays the same, the
 * tools' results do too, provided that they see the same name. (Boards and AXI4-Lite registers contain a number derived
 * from the text with the region's name: those are made again.)
 */

import { createHash } from "node:crypto";
import { itemAt } from "../../core/checked/access.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** By the region's own name. */
export type ToolNames = Readonly<Record<string, string>>;

/**
 * Renames functions in kernels by the digest of what is compiled; kernels that would get the same name keep their own.
 */
export function namedForTools(kernels: readonly TranslatedKernel[]): readonly TranslatedKernel[] {
  const chosen = kernels.map(toolNames);
  const users = new Map<string, number>();
  for (const name of chosen.flatMap((names) => Object.values(names)))
    users.set(name, (users.get(name) ?? 0) + 1);
  return kernels.map((kernel, k) => {
    const names = itemAt(chosen, k);
    const isAlone = Object.values(names).every((name) => users.get(name) === 1);
    return isAlone ? inToolNames(kernel, names) : kernel;
  });
}

/** The kernel as tools see it: its regions have these names in everything that is compiled and launched. */
export function inToolNames(kernel: TranslatedKernel, toolNames: ToolNames): TranslatedKernel {
  const renamed = renaming(toolNames);
  const { text, entries, headers, links, obligations, manifest } = kernel;
  return {
    ...kernel,
    text: renamed(text),
    entries: entries.map(renamed),
    ...(headers && { headers: mapped(headers, renamed) }),
    ...(links && { links: links.map(renamed) }),
    ...(obligations && { obligations: JSON.parse(renamed(JSON.stringify(obligations))) }),
    // Host code launches a region by its own name.
    manifest: manifest.replace(/^kernel .*$/gm, renamed),
    toolNames,
  };
}

/** The region whose function tools see under this name. */
export function regionName(entry: string, { toolNames = {} }: Pick<TranslatedKernel, "toolNames">): string {
  return renaming(Object.fromEntries(Object.entries(toolNames).map(([own, name]) => [name, own])))(entry);
}

function toolNames({ text, headers = {}, links = [], manifest }: TranslatedKernel): ToolNames {
  const regions = [...manifest.matchAll(/^region (.*)$/gm)].map(([, name]) => name as string);
  const functions = regions.map((region) => region.replace(/_[0-9a-f]{8}$/, ""));
  const nameless = renaming(Object.fromEntries(regions.map((region, k) => [region, `${functions[k]}#${k}`])));
  const compiled = JSON.stringify([text, mapped(headers, (header) => header), links]);
  const digest = createHash("sha256").update(nameless(compiled));
  const all = regions.map((region, k) => {
    const own = digest.copy().update(`#${k}`).digest("hex").slice(0, 8);
    return [region, `${functions[k]}_${own}`] as const;
  });
  return Object.fromEntries(all);
}

/** Replaces whole names only, not prefixes of others. */
function renaming(names: ToolNames): (text: string) => string {
  const all = Object.keys(names);
  if (all.length === 0) return (text) => text;
  const pattern = new RegExp(`(?<![A-Za-z0-9_])(?:${all.join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replace(pattern, (name) => names[name] as string);
}

function mapped(
  texts: Readonly<Record<string, string>>,
  how: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, how(text)]));
}
