/**
 * Files of kernels that directives name (`file(krist.cl)`): their text travels with the preprocessed source, as a pragma
 * behind it, so that whoever reads the source needs no other file.
 */
import type { External } from "../../lang/tree/ast.ts";
import { withHeaders } from "./kernel-headers.ts";
import { macroLines } from "./kernel-macros.ts";
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

/** A file as it was found, or a kernel of the program's own file, whose text says where its lines are. */
export interface KernelFile {
  /** Where messages say that it is. */
  readonly path?: string;
  readonly text: string;
}

/**
 * The text with the files behind it, and kernels of its own in place; files that `find` does not find are left out. `from` is
 * the file that includes a header. `options` are those that the text was preprocessed with.
 */
export function withKernelFiles(
  text: string,
  find: (name: string, from?: string) => KernelFile | undefined,
  options: readonly string[] = [],
): string {
  const { text: rest, kernels } = withoutOwnKernels(text);
  const files = kernelFilesIn(rest).flatMap((name) => {
    const file = find(name);
    return file
      ? [{ name, ...file, text: withMacros(withHeaders(file, find), options, file.path ?? name) }]
      : [];
  });
  const own = kernels.map(({ name, source }) => ({ name: ownKernelName(name), text: source, path: "" }));
  const lines = [...files, ...own].map(
    ({ name, text: content, path }) =>
      `#pragma ${space} "${name}" "${Buffer.from(content).toString("base64")}" "${path}"`,
  );
  return lines.length > 0 ? `${rest.replace(/\n*$/, "\n")}${lines.join("\n")}\n` : rest;
}

function withMacros(text: string, options: readonly string[], path: string): string {
  const lines = macroLines(options, text);
  return lines === "" ? text : `${lines}#line 1 "${path}"\n${text}`;
}

/** The files that stand behind a source, by name. */
export function kernelFilesOf(externals: readonly External[]): ReadonlyMap<string, KernelFile> {
  const files = new Map<string, KernelFile>();
  for (const external of externals) {
    if (external.kind !== "pragma") continue;
    const [first, name, content, place] = external.tokens;
    if (first?.text !== space || !name || !content) continue;
    const path = place?.text.slice(1, -1);
    files.set(name.text.slice(1, -1), {
      ...(path && { path }),
      text: Buffer.from(content.text.slice(1, -1), "base64").toString(),
    });
  }
  return files;
}

export const isKernelFile = (external: External): boolean =>
  external.kind === "pragma" && external.tokens[0]?.text === space;
