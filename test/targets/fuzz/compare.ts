/** Runs functions as plain C and through arc, and names those whose output differs. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { translateHost, translateKernels } from "../../../core/compiler/driver/translate.ts";
import { hostEmitter } from "../../../targets/host/emit.ts";
import { openclEmitter } from "../../../targets/opencl/emit.ts";
import { image } from "../../../targets/shared/kind/launch.ts";
import { runtime } from "../runtime/harness.ts";
import { sourceOf } from "./source.ts";

/** `oclgrind`: OpenCL on a simulator that finds races between work-items and accesses outside of buffers. */
export type Kind = "host" | "opencl" | "oclgrind";

/** What is wrong with the program, or nothing. */
export type Difference = { readonly function: string | undefined; readonly what: string };

const run = (exe: string, env: Record<string, string>) =>
  spawnSync(exe, [], { encoding: "utf8", env: { PATH: process.env.PATH ?? "", ...env }, timeout: 60_000 });

/** Compares the functions' output with that of the same C without directives. */
export function differences(
  functions: readonly string[],
  kinds: readonly Kind[],
  archive: string,
): Difference[] {
  const folder = mkdtempSync(join(tmpdir(), "arc-fuzz-"));
  const at = (name: string) => join(folder, name);
  const gcc = (...args: string[]) => execFileSync("gcc", ["-w", ...args], { cwd: folder, stdio: "pipe" });
  try {
    const source = sourceOf(functions);
    writeFileSync(at("a.c"), source);
    gcc("-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "a.c", "-o", "serial", "-lm");
    const serial = run(at("serial"), { ASAN_OPTIONS: "detect_leaks=0" });
    if (serial.status !== 0)
      throw new Error(`the generator made a wrong program: ${serial.stderr}\n${source}`);
    const text = gcc("-E", "-dD", "-D_OPENACC=202211", "a.c").toString();
    const unit = { file: "a.c", text };
    const host = translateHost(unit, source);
    const error = host.diagnostics.find((d) => d.severity === "error");
    if (error)
      return [{ function: functionAt(source, error.loc.line), what: `${error.loc.line}: ${error.message}` }];
    writeFileSync(at("host.c"), host.text);
    gcc("-O0", `-I${runtime}/include`, "host.c", archive, "-o", "exe", "-ldl", "-lpthread", "-lm");
    return kinds.flatMap((kind) => {
      images(kind);
      const target = kind === "host" ? "host" : "opencl";
      const got = run(at("exe"), { ARC_IMAGES: at(kind), ARC_TARGET: target, ...environment(kind) });
      const said = `${got.signal ?? ""} ${withoutGuesses(got.stderr)}`.trim();
      const different = compare(kind, serial.stdout, got.stdout, said);
      if (kind !== "oclgrind" || different.length > 0 || !/race|invalid|error/i.test(said)) return different;
      return [{ function: kernelAt(said, source), what: `oclgrind: ${said.slice(0, 800)}` }];
    });
    function environment(kind: Kind): Record<string, string> {
      if (kind === "host") return { ARC_HOST_MEMORY: "separate" };
      if (kind === "opencl") return { POCL_CACHE_DIR: at("pocl"), HOME: folder };
      return { ARC_OPENCL_LIBRARY: "/usr/lib/oclgrind/liboclgrind-rt.so", OCLGRIND_DATA_RACES: "1" };
    }
    function images(kind: Kind): void {
      mkdirSync(at(kind));
      const emitter = kind === "host" ? hostEmitter : openclEmitter;
      const { kernels, diagnostics } = translateKernels(unit, emitter);
      const wrong = diagnostics.find((d) => d.severity === "error");
      if (wrong) throw new Error(`${wrong.message}\n${source}`);
      const backend = kind === "host" ? "host" : "opencl";
      const head = { backend, target: backend, variant: "default", options: "" } as const;
      if (kind !== "host") {
        for (const k of kernels)
          writeFileSync(
            at(`${kind}/${k.region}.arci`),
            image(
              { ...head, options: "-cl-std=CL1.2" },
              [k.manifest],
              [{ kind: "source", bytes: Buffer.from(k.text) }],
            ),
          );
        return;
      }
      const files = kernels.map((k) => {
        writeFileSync(at(`${k.region}.k.c`), k.text);
        return `${k.region}.k.c`;
      });
      gcc(
        "-std=gnu11",
        "-O0",
        "-fPIC",
        "-shared",
        `-I${runtime}/include`,
        ...files,
        "-o",
        "kernels.so",
        "-lm",
      );
      const payload = { kind: "so", bytes: readFileSync(at("kernels.so")) } as const;
      writeFileSync(
        at("host/all.arci"),
        image(
          head,
          kernels.map((k) => k.manifest),
          [payload],
        ),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The function around a line of the program. */
function functionAt(source: string, line: number): string | undefined {
  const above = source.split("\n").slice(0, line);
  return above.reverse().flatMap((l) => /^static void (f\d+)/.exec(l)?.[1] ?? [])[0];
}

/** Without reports of loads that a compare-and-swap begins with: what is old by then costs another turn, and no more. */
const withoutGuesses = (said: string): string =>
  said
    .split(/^(?=Read-write data race)/m)
    .filter((report) => !report.includes("seen = *word;"))
    .join("");

/** The function that Oclgrind's report of a kernel is about. */
function kernelAt(said: string, source: string): string | undefined {
  const kernel = /Kernel: (f\d+)/.exec(said)?.[1];
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
