/**
 * What tools that take long know regions by. A region's own name tells it from all others of the program: it changes with
 * all that its directive says, also with what is moved before a launch and how many gangs there are. Where its text stays
 * as it was, so does what tools make of it, if they see the same name. (Boards and AXI4-Lite registers have a number in
 * them that is made of the text with the region's name: those are made again.)
 */
import { createHash } from "node:crypto";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** By the name of the region. */
export type ToolNames = Readonly<Record<string, string>>;

/** Kernels with functions that are called after what is compiled; two that would be called alike keep their names. */
export function namedForTools(kernels: readonly TranslatedKernel[]): readonly TranslatedKernel[] {
  const chosen = kernels.map(toolNames);
  const users = new Map<string, number>();
  for (const name of chosen.flatMap((names) => Object.values(names)))
    users.set(name, (users.get(name) ?? 0) + 1);
  return kernels.map((kernel, k) => {
    const names = chosen[k] as ToolNames;
    const isAlone = Object.values(names).every((name) => users.get(name) === 1);
    return isAlone ? inToolNames(kernel, names) : kernel;
  });
}

/** As the tools shall see the kernel: its regions have these names in all that is compiled and in what is launched. */
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

/** Of the function that tools call so. */
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

/** Names that others begin with are not meant. */
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
