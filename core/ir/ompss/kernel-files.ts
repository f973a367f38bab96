/**
 * Files of kernels that directives name (`file(krist.cl)`): their text travels with the preprocessed source, as a pragma
 * behind it, so that whoever reads the source needs no other file.
 */
import type { External } from "../../lang/tree/ast.ts";
import { withHeaders } from "./kernel-headers.ts";
import { withoutOwnKernels } from "./own-kernels.ts";

const space = "arc_kernel_file";

/** Names of files in `file(...)` clauses of preprocessed text, each once. */
export function kernelFilesIn(text: string): readonly string[] {
  const lines =
    text.match(/^[ \t]*#[ \t]*pragma[ \t]+(?:omp|oss)[ \t]+(?:target|task)\b.*\bfile[ \t]*\(.*$/gm) ?? [];
  const names = lines.flatMap((line) =>
    [...line.matchAll(/\bfile[ \t]*\([ \t]*"?([^")]+?)"?[ \t]*\)/g)].map((m) => m[1] ?? ""),
  );
  return [...new Set(names.map((name) => name.replaceAll(/[ \t]/g, "")))];
}

/** What a kernel of the program's own file is called beside names of files. */
export const ownKernelName = (kernel: string): string => `:${kernel}`;

/** The text with the files behind it, and kernels of its own in place; files that `find` does not find are left out. */
export function withKernelFiles(text: string, find: (name: string) => string | undefined): string {
  const { text: rest, kernels } = withoutOwnKernels(text);
  const files = kernelFilesIn(rest).map((name) => {
    const content = find(name);
    return { name, content: content === undefined ? undefined : withHeaders(name, content, find) };
  });
  const own = kernels.map(({ name, source }) => ({ name: ownKernelName(name), content: source }));
  const lines = [...files, ...own].flatMap(({ name, content }) =>
    content === undefined ? [] : [`#pragma ${space} "${name}" "${Buffer.from(content).toString("base64")}"`],
  );
  return lines.length > 0 ? `${rest.replace(/\n*$/, "\n")}${lines.join("\n")}\n` : rest;
}

/** The files that stand behind a source, by name. */
export function kernelFilesOf(externals: readonly External[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const external of externals) {
    if (external.kind !== "pragma") continue;
    const [first, name, content] = external.tokens;
    if (first?.text !== space || !name || !content) continue;
    files.set(name.text.slice(1, -1), Buffer.from(content.text.slice(1, -1), "base64").toString());
  }
  return files;
}

export const isKernelFile = (external: External): boolean =>
  external.kind === "pragma" && external.tokens[0]?.text === space;
