/**
 * Kernel files that directives name (`file(krist.cl)`): their text is appended to the preprocessed source as a pragma,
 * so that its readers need no other file.
 */
import type { External } from "../../lang/tree/ast.ts";
import { withHeaders } from "./kernel-headers.ts";
import { macroLines } from "./kernel-macros.ts";
import { withoutOwnKernels } from "./own-kernels.ts";

const space = "arc_kernel_file";

/** Names of files in `file(...)` clauses of preprocessed text, each once. */
function kernelFilesIn(text: string): readonly string[] {
  const lines =
    text.match(
      /^[ \t]*#[ \t]*pragma[ \t]+(?:\/\*.*?\*\/[ \t]*)?(?:omp|oss)[ \t]+(?:target|task)\b.*\bfile[ \t]*\(.*$/gm,
    ) ?? [];
  const names = lines.flatMap((line) =>
    [...line.matchAll(/\bfile[ \t]*\([ \t]*"?([^")]+?)"?[ \t]*\)/g)].map((m) => m[1] ?? ""),
  );
  return [...new Set(names.map((name) => name.replaceAll(/[ \t]/g, "")))];
}

/** The name of a kernel in the program's own file, among names of files. */
export const ownKernelName = (kernel: string): string => `:${kernel}`;

/** A file, or a kernel in the program's own file, whose line markers give its location. */
export interface KernelFile {
  /** Its path in messages. */
  readonly path?: string;
  readonly text: string;
}

/**
 * The text with the files appended and kernels of its own in place; files that `find` does not find are omitted.
 * `from`: the file that includes a header. `options`: those of the preprocessing.
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

/** The kernel files appended to a source, by name. */
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
