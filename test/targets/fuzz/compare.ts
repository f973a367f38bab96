/** Runs functions as plain C and through arc, and names those whose output differs. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { slow } from "../../sampled.ts";
import { Build, type Kind, Refused } from "./build.ts";
import { sourceOf } from "./source.ts";

/** Sanitizers look at the generated programs where there may be new ones: their compilation takes five times as long. */
const areNew = slow || process.env.ARC_PROPERTIES !== undefined;

/** What is wrong with the program, if anything. */
type Difference = { readonly function: string | undefined; readonly what: string };

/**
 * Compares the functions' output with that of the same C without directives. With ARC_KEEP_PROGRAMS=FOLDER the program is
 * written there instead, for machines that have other devices (test/gpu/pack.sh FOLDER files FILE...).
 */
export function differences(
  functions: readonly string[],
  kinds: readonly Exclude<Kind, "cuda">[],
  archive: string,
): Difference[] {
  const source = sourceOf(functions);
  const folder = process.env.ARC_KEEP_PROGRAMS;
  if (folder) {
    const digest = createHash("sha256").update(source).digest("hex").slice(0, 12);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `functions-${digest}.c`), source);
    return [];
  }
  const build = new Build([{ file: "a.c", text: source }]);
  try {
    const serial = build.serial(areNew);
    if (serial.status !== 0)
      throw new Error(`the generator made a wrong program: ${serial.stderr}\n${source}`);
    build.host(archive);
    return kinds.flatMap((kind) => {
      const got = build.runOn(kind);
      const output = `${got.signal ?? ""} ${withoutGuesses(got.stderr)}`.trim();
      const different = compare(kind, serial.stdout, got.stdout, output);
      if (kind !== "oclgrind" || different.length > 0 || !/race|invalid|error/i.test(output))
        return different;
      return [{ function: kernelAt(output, source), what: `oclgrind: ${output.slice(0, 800)}` }];
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { line } = error.diagnostic.loc;
    return [{ function: functionAt(source, line), what: `${line}: ${error.diagnostic.message}` }];
  } finally {
    build.remove();
  }
}

/** The function that contains a line of the program. */
function functionAt(source: string, line: number): string | undefined {
  const above = source.split("\n").slice(0, line);
  return above.reverse().flatMap((l) => /^static void (f\d+)/.exec(l)?.[1] ?? [])[0];
}

/** Ignores reports about the load before a compare-and-swap: a stale value only costs another round. */
const withoutGuesses = (output: string): string =>
  output
    .split(/^(?=Read-write data race)/m)
    .filter((report) => !report.includes("seen = *word;"))
    .join("");

/** The function that Oclgrind's report about a kernel names. */
function kernelAt(output: string, source: string): string | undefined {
  const kernel = /Kernel: (f\d+)/.exec(output)?.[1];
  return kernel !== undefined && source.includes(`static void ${kernel}(`) ? kernel : undefined;
}

function compare(kind: Kind, want: string, got: string, stderr: string): Difference[] {
  const lines = (text: string) => new Set(text.split("\n"));
  const given = lines(got);
  const found = new Map<string, string>();
  for (const line of lines(want)) {
    const name = line.split(" ")[0] as string;
    if (line && !given.has(line) && !found.has(name))
      found.set(
        name,
        `${kind}: expected ${line}, got ${got.split("\n").find((l) => l.startsWith(line.split(" ").slice(0, 2).join(" "))) ?? `nothing: ${stderr.slice(0, 600)}`}`,
      );
  }
  return [...found].map(([name, what]) => ({ function: name, what }));
}
