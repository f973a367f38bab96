/**
 * Every kernel that the construct programs and examples make is CUDA C++: clang compiles it to PTX, without the
 * CUDA toolkit, which few machines of continuous integration have.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateKernels } from "../../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../../targets/cuda/emit.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-clang-"));
afterAll(() => rmSync(folder, { recursive: true }));

function clang(): string | undefined {
  for (const name of ["clang", "clang-19", "clang-16", "clang-15", "clang-14"])
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return name;
    } catch {}
  return undefined;
}

const compiler = clang();

const files = (directory: string): string[] =>
  readdirSync(path.join(root, directory))
    .filter((file) => file.endsWith(".c"))
    .map((file) => path.join(directory, file));

const sources = [
  ...files("test/programs/acc"),
  ...readdirSync(path.join(root, "examples")).flatMap((name) => files(`examples/${name}/src`)),
];
const batch = 40;

describe.skipIf(compiler === undefined)("clang compiles to PTX", () => {
  const seen = new Set<string>();
  for (let at = 0; at < sources.length; at += batch) {
    const some = sources.slice(at, at + batch);
    it(`the kernels of ${path.basename(some[0] as string)} to ${path.basename(some.at(-1) as string)}`, {
      timeout: 240_000,
    }, () => {
      const texts: string[] = [];
      for (const file of some) {
        const include = ["-Itargets/runtime/include"];
        const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", ...include, file], {
          cwd: root,
          maxBuffer: 1 << 28,
        });
        for (const kernel of translateKernels({ file, text: text.toString() }, cudaEmitter).kernels) {
          // The same code in the same function is the same region.
          if (seen.has(kernel.region)) continue;
          seen.add(kernel.region);
          texts.push(`namespace of_${kernel.region} {\n${kernel.text}}\n`);
        }
      }
      expect(texts.length).toBeGreaterThan(0);
      const name = path.join(folder, `${at}.cu`);
      writeFileSync(
        name,
        [readFileSync(path.join(import.meta.dirname, "shim.h"), "utf8"), ...texts].join("\n"),
      );
      const options = [
        "-x",
        "cuda",
        "--cuda-device-only",
        "--cuda-gpu-arch=sm_70",
        "-nocudainc",
        "-nocudalib",
        "-std=c++17",
        "-O1",
        "-w",
        "-Wno-c++11-narrowing",
        "-S",
      ];
      execFileSync(compiler as string, [...options, name, "-o", path.join(folder, `${at}.ptx`)], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      expect(readFileSync(path.join(folder, `${at}.ptx`), "utf8")).toContain(".visible .entry");
    });
  }
});
