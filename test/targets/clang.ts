/** Every kernel of the construct programs and examples, in a few texts for another compiler. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { translateKernels } from "../../core/compiler/driver/translate.ts";
import type { Emitter } from "../../targets/shared/kind/emit.ts";

const root = path.resolve(import.meta.dirname, "../..");

function clang(): string | undefined {
  for (const name of ["clang", "clang-19", "clang-16", "clang-15", "clang-14"])
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return name;
    } catch {}
  return undefined;
}

/** clang's name here; undefined: there is none. */
export const compiler = clang();

/** A folder for the texts of a test file. */
export function textFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-clang-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

const files = (directory: string): string[] =>
  readdirSync(path.join(root, directory))
    .filter((file) => file.endsWith(".c"))
    .map((file) => path.join(directory, file));

const sources = [
  ...files("test/programs/acc"),
  ...readdirSync(path.join(root, "examples")).flatMap((name) => files(`examples/${name}/src`)),
];
const size = 40;

export const batches = Array.from({ length: Math.ceil(sources.length / size) }, (_, k) => {
  const some = sources.slice(k * size, (k + 1) * size);
  const [first = "", last = ""] = [some[0], some.at(-1)].map((file) => path.basename(file ?? ""));
  return { name: `the kernels of ${first} to ${last}`, some };
});

/** The kernels of some sources, each in a namespace of its own, but those that `seen` has. */
export function kernelTexts(some: readonly string[], emitter: Emitter, seen: Set<string>): readonly string[] {
  const texts: string[] = [];
  for (const file of some) {
    const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", "-Itargets/runtime/include", file], {
      cwd: root,
      maxBuffer: 1 << 28,
    });
    for (const kernel of translateKernels({ file, text: text.toString() }, emitter).kernels) {
      // The same code in the same function is the same region.
      if (seen.has(kernel.region)) continue;
      seen.add(kernel.region);
      texts.push(`namespace of_${kernel.region} {\n${kernel.text.replace(/^#include .*\n/gm, "")}}\n`);
    }
  }
  return texts;
}
