/** What a watch reads ahead of the next save, on every example. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { noteTexts, parseSoon, prepareHeadStarts } from "../../../../core/compiler/driver/head-starts.ts";
import { translateHost, translateKernels } from "../../../../core/compiler/driver/translate.ts";
import { hostEmitter } from "../../../../targets/host/emit.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const examples = readdirSync(path.join(root, "examples"));

function preprocess(folder: string, file: string, source: string): string {
  const headers = path.join(root, "targets/runtime/include");
  const args = ["-E", "-dD", "-D_OPENACC=202211", "-isystem", headers, "-x", "c", "-", "-o", "-"];
  const text = execFileSync("cc", args, { cwd: folder, input: source, maxBuffer: 1 << 28, encoding: "utf8" });
  return text.replaceAll("<stdin>", file);
}

/** Kernels and host code, from a text that no other call read. */
function translation(file: string, text: string, original: string): unknown {
  const source = { file, text };
  return [translateKernels(source, hostEmitter), translateHost(source, original)];
}

const edits: readonly ((source: string) => string)[] = [
  (source) => `${source}\n#undef NULL\n#define NULL 0\nint added(int x) { return x + 1; }\n`,
  // Which changes what the headers come to.
  (source) => `#define _GNU_SOURCE 1\n${source}`,
];

describe.each(examples)("%s", (example) => {
  const folder = path.join(root, "examples", example);
  const [name = ""] = readdirSync(path.join(folder, "src")).filter((file) => file.endsWith(".c"));
  const file = `src/${name}`;
  const source = readFileSync(path.join(folder, file), "utf8");

  it("is translated the same with and without parsing ahead", () => {
    const before = preprocess(folder, file, source);
    noteTexts();
    for (const edit of edits) {
      const edited = edit(source);
      const text = preprocess(folder, file, edited);
      // A comment at the end makes it another text, which is read anew, of the same meaning.
      const cold = translation(file, `${text}/**/\n`, edited);
      parseSoon(before, file);
      // Of sources of other examples, too.
      expect(new Set(prepareHeadStarts())).toEqual(new Set([true]));
      expect(translation(file, text, edited)).toEqual(cold);
    }
  });
});
