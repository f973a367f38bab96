/**
 * Leads from a line of a shown source to the kernels that arc makes of it, as `arc translate --to KIND` prints them: the
 * text is translated as for the project's targets, and the kernels written to files that an editor can open.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import {
  kernelExtension,
  planTranslation,
  type SourceFile,
  type TranslatedKernel,
} from "../../rules/plan/whole-program.ts";
import type { Compiler } from "../../rules/tools/compiler.ts";
import { readAsFarAsKnown } from "../project/sources/project-of.ts";
import { type ShownVariant, shownVariants } from "./shown-variants.ts";

export interface KernelPlace {
  /** Absolute path of a written file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface Asked {
  /** Absolute path of the source. */
  readonly file: string;
  /** As the editor shows it. */
  readonly text: string;
  /** From 1; of a directive that is continued over lines, any of them. */
  readonly line: number;
}

/** One place for each of the variants that are shown; empty where no region is, or where the source has errors. `folder`: for the files. */
export async function kernelPlaces(
  asked: Asked,
  engine: Engine,
  compiler: Compiler,
  folder: string,
): Promise<readonly KernelPlace[]> {
  const { file, text } = asked;
  const source: SourceFile = { file, path: file, text, ...readAsFarAsKnown(file) };
  const found: KernelPlace[] = [];
  for (const variant of shownVariants(file)) {
    const kernel = regionAt(await kernelsOf(source, variant, engine, compiler), asked);
    if (kernel === undefined) continue;
    const [address = variant.kind] = variant.addresses;
    const own = path.join(folder, "kernels", ...address.split(":"), path.basename(file, path.extname(file)));
    // Names of regions are digests of their texts: of an older text they would pile up.
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true });
    const shown = path.join(own, `${kernel.region}${await kernelExtension(variant.kind)}`);
    writeFileSync(shown, headOf(kernel, variant, file) + kernel.text);
    found.push({ file: shown, line: 1 + lineIn(kernel, asked) });
  }
  return found;
}

function headOf({ site }: TranslatedKernel, { addresses, kind }: ShownVariant, file: string): string {
  const whose = addresses.length === 0 ? `kind ${kind}` : `${addresses.join(", ")} (kind ${kind})`;
  return `/* ${site.what} at ${file}:${site.line}, for ${whose}: made by arc, to read only */\n`;
}

async function kernelsOf(
  source: SourceFile,
  { kind, shaping }: ShownVariant,
  engine: Engine,
  compiler: Compiler,
): Promise<readonly TranslatedKernel[]> {
  const plan = planTranslation([source], kind, compiler, [], shaping);
  const { outcomes } = await engine.build(plan.actions, { keepGoing: true });
  const from = plan.translations[0]?.kernels?.from;
  if (from === undefined || !("action" in from) || outcomes.get(from.action)?.status !== "done") return [];
  return JSON.parse(readFileSync(engine.path(from.action, from.output).path, "utf8"));
}

/** The first and last line of the directive that a line is of; undefined: it is of none. */
function directiveAround({ text, line }: Asked): readonly [first: number, last: number] | undefined {
  const lines = text.split("\n");
  const isContinued = (at: number): boolean => lines[at - 1]?.trimEnd().endsWith("\\") === true;
  let [first, last] = [line, line];
  while (isContinued(first - 1)) first--;
  while (isContinued(last)) last++;
  return /^\s*#\s*pragma\b/.test(lines[first - 1] ?? "") ? [first, last] : undefined;
}

/** The last region that begins at the line or before it, and does not end before it. */
function regionAt(kernels: readonly TranslatedKernel[], asked: Asked): TranslatedKernel | undefined {
  const { file, line } = asked;
  // A directive inside a region is of the loop after it.
  const [first, last] = directiveAround(asked) ?? [line, line - 1];
  const reach = ({ mappings, site }: TranslatedKernel): number =>
    Math.max(site.line, ...mappings.flatMap(([, from, at]) => (path.resolve(from) === file ? [at] : [])));
  return kernels
    .filter(({ site }) => path.resolve(site.file) === file)
    .filter((one) => one.site.line <= last + 1 && reach(one) >= first)
    .sort((a, b) => b.site.line - a.site.line)[0];
}

/** The first line that comes from the asked one or from one after it; for a directive, that of the kernel's name. */
function lineIn({ mappings, text, entries: [name] }: TranslatedKernel, asked: Asked): number {
  const { file, line } = asked;
  const after = mappings.filter(([, origin, at]) => path.resolve(origin) === file && at >= line);
  const nearest = Math.min(...after.map(([, , at]) => at));
  const first = after.find(([, , at]) => at === nearest);
  if (first !== undefined && directiveAround(asked) === undefined) return first[0];
  return (
    1 +
    Math.max(
      0,
      text.split("\n").findIndex((one) => name !== undefined && one.includes(`${name}(`)),
    )
  );
}
