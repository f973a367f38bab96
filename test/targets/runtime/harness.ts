/** Builds the runtime and small C programs with it, and runs them. Everything lives in a temporary folder. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { type ImageText, imageBytes } from "./image.ts";

export const runtime = resolve(import.meta.dirname, "../../../targets/runtime");
const programs = resolve(import.meta.dirname, "c");
const standIns = resolve(import.meta.dirname, "stand-ins");

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function execute(
  argv: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; input?: string } = {},
): Ran {
  const [command, ...args] = argv as [string, ...string[]];
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    cwd: options.cwd,
    input: options.input,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env } as NodeJS.ProcessEnv,
    timeout: 120_000,
    maxBuffer: 64 << 20,
  });
  if (error) throw error;
  return { code: status, signal, stdout, stderr };
}

function must(argv: readonly string[]): void {
  const { code, stderr } = execute(argv);
  if (code !== 0) throw new Error(`${argv.join(" ")}\n${stderr}`);
}

/** Paths of the runtime's C files in one of its folders. */
export const sourcesIn = (folder: "src" | "serial" | "tools"): string[] =>
  filesIn(folder)
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(runtime, name));

/** Files of one of the runtime's folders and below, as paths from the runtime's. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(runtime, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(runtime, join(entry.parentPath, entry.name)))
    .sort();

const allSources = (): string[] =>
  ["src", "include"].flatMap((folder) => filesIn(folder).map((name) => join(runtime, name)));

/** A file that is made once from the same sources in the same way, and kept for later runs. */
export function madeOnce(
  name: string,
  sources: readonly string[],
  make: (out: string) => void,
  how: readonly string[] = [],
): string {
  const digest = createHash("sha256").update(JSON.stringify(how));
  for (const source of sources) digest.update(relative(runtime, source)).update(readFileSync(source));
  const kept = join(process.env.ARC_TEST_CACHE ?? tmpdir(), `${name}-${digest.digest("hex").slice(0, 16)}`);
  if (existsSync(kept)) return kept;
  const out = `${kept}.${process.pid}`;
  make(out);
  renameSync(out, kept);
  return kept;
}

const strict = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror"];

/** A folder for one test file's programs; `remove` it in afterAll. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), "arc-runtime-"));
  readonly cc: string;
  readonly flags: readonly string[];
  #archive: string | undefined;

  /** `flags` are for the runtime and the programs alike: sanitizers. */
  constructor(cc = "gcc", flags: readonly string[] = []) {
    this.cc = cc;
    this.flags = flags;
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** libarcrt.a, from all of src. */
  archive(): string {
    // Switches for warnings are about programs alone.
    const options = [...strict, "-Wpedantic", ...this.flags.filter((flag) => flag.startsWith("-f"))];
    this.#archive ??= madeOnce(
      "arc-runtime",
      allSources(),
      (out) => {
        const objects = this.path("objects");
        mkdirSync(objects);
        const made = sourcesIn("src").map((source) => {
          const object = join(objects, basename(source).replace(/c$/, "o"));
          must([this.cc, ...options, `-I${runtime}/include`, `-I${runtime}/src`, "-c", source, "-o", object]);
          return object;
        });
        must(["ar", "rcs", out, ...made]);
      },
      [this.cc, ...options],
    );
    return this.#archive;
  }

  /** An executable of one of the programs in c/: "launch/turns" is c/launch/turns.c. */
  program(name: string, ...extra: string[]): string {
    return this.#link(
      join(programs, `${name}.c`),
      this.path(`${basename(name)}-${readdirSync(this.folder).length}`),
      extra,
    );
  }

  /** One of the runtime's own tools. */
  tool(name: string): string {
    return this.#link(join(runtime, "tools", `${name}.c`), this.path(name), []);
  }

  #link(source: string, out: string, extra: readonly string[]): string {
    must([
      this.cc,
      ...strict,
      ...this.flags,
      ...extra,
      `-I${runtime}/include`,
      `-I${runtime}/src`,
      `-iquote${programs}`,
      source,
      this.archive(),
      "-o",
      out,
      "-ldl",
      "-lpthread",
      "-lm",
    ]);
    return out;
  }

  /** A driver or a tool of stand-ins/, as a shared library. */
  library(name: string, out: string, ...more: string[]): void {
    must([
      this.cc,
      ...strict,
      ...this.flags,
      "-fPIC",
      "-shared",
      join(standIns, `${name}.c`),
      "-o",
      out,
      "-ldl",
      "-lpthread",
      ...more,
    ]);
  }

  /** A shared object of host kernels. */
  kernels(text: string, ...extra: string[]): Buffer {
    const base = this.path(`kernels-${readdirSync(this.folder).length}`);
    writeFileSync(`${base}.c`, text);
    must([
      this.cc,
      "-std=c11",
      "-g",
      "-O1",
      "-Wall",
      "-Werror",
      ...this.flags,
      ...extra,
      "-fPIC",
      "-shared",
      `-I${runtime}/include`,
      `${base}.c`,
      "-o",
      `${base}.so`,
    ]);
    return readFileSync(`${base}.so`);
  }

  /** A folder that holds the image, for ARC_IMAGES. */
  image(name: string, image: ImageText): string {
    const folder = this.path("images", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "program.arci"), imageBytes(image));
    return folder;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface TraceEvent {
  readonly cat: "transfer" | "launch" | "allocation" | "wait" | "task" | "idle" | "dependence";
  readonly ph: string;
  /** Of an arrow. */
  readonly id?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly tid: number;
  readonly args: Readonly<Record<string, unknown>>;
}

export const readTrace = (file: string): TraceEvent[] =>
  JSON.parse(readFileSync(file, "utf8")) as TraceEvent[];
