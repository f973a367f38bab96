/** The kernel texts of an image as files for a compiler. */

import type { Action, ActionInput, Address, Source } from "../../core/build/model/action.ts";
import { firstOf } from "../../core/checked/access.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import { kernelTitle } from "./kernel-title.ts";
import { sourcesWord } from "./stage-words.ts";

/** Kernels that are loaded onto the device together. */
export interface ImageGroup {
  readonly name: string;
  readonly kernels: readonly TranslatedKernel[];
}

/** `whole`: one image holds many kernels, all of the program's or those that the target groups. */
export function imageGroups(kernels: readonly TranslatedKernel[], whole = false): readonly ImageGroup[] {
  if (!whole) return kernels.map((kernel) => ({ name: kernel.region, kernels: [kernel] }));
  const others = kernels.some(({ image }) => image !== undefined) ? "others" : "all";
  const groups = new Map<string, TranslatedKernel[]>();
  for (const kernel of kernels) {
    const name = kernel.image ?? others;
    groups.set(name, [...(groups.get(name) ?? []), kernel]);
  }
  return [...groups].map(([name, members]) => ({ name, kernels: members }));
}

export interface KernelSource {
  readonly name: string;
  readonly kernel: TranslatedKernel;
  /** The action that decides which schedule the kernel keeps: it provides the text and the headers. */
  readonly settled?: Address;
}

/** The last file is called `kernel`, as compilers name their folders after it. */
export function sourcesOf(kernels: readonly TranslatedKernel[], extension: string): readonly KernelSource[] {
  return kernels.map((kernel, k) => ({
    name: `kernel${k + 1 < kernels.length ? k + 1 : ""}.${extension}`,
    kernel,
  }));
}

export const textOf = ({ name, kernel, settled }: KernelSource): ActionInput => ({
  name,
  from: madeBy(settled, name, kernel.text),
});

/** The headers that the kernel's compiler includes. */
export const headersOf = ({ kernel, settled }: KernelSource): readonly ActionInput[] =>
  Object.entries(kernel.headers ?? {}).map(([name, text]) => ({ name, from: madeBy(settled, name, text) }));

const madeBy = (settled: Address | undefined, output: string, text: string): Source =>
  settled === undefined ? { text } : { action: settled, output };

/** Replaces the placeholder for sources in the arguments by file names. */
export function withSources(argv: readonly string[], sources: readonly KernelSource[]): readonly string[] {
  const names = sources.map((source) => source.name);
  return argv.flatMap((word) =>
    word === sourcesWord ? names : [word.replaceAll(sourcesWord, names.join(" "))],
  );
}

export const readsSources = (argv: readonly string[]): boolean =>
  argv.some((word) => word.includes(sourcesWord));

/** The site for messages about the files; lines are known only if there is one file. */
export function siteOf(
  variant: Address,
  sources: readonly KernelSource[],
): Pick<Action, "site"> & { readonly what: string } {
  const { site, mappings } = firstOf(sources).kernel;
  const { file, line } = site;
  return {
    site: { file, line, ...(sources.length === 1 && { lines: mappings }) },
    what: kernelTitle(
      variant,
      sources.map(({ kernel }) => kernel),
    ),
  };
}
