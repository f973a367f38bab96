/** A project in a temporary folder, and the real `arc` to run in it. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const arcProgram = path.resolve(import.meta.dirname, "../../bin/arc");

export interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder relative to the project. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Interrupted once when this text appears in standard output, which may arrive in any pieces. */
  readonly interruptAt?: string;
}

export class Rig {
  readonly root = mkdtempSync(path.join(tmpdir(), "arc-cli-"));
  readonly folder = path.join(this.root, "project");
  readonly store: string;
  /** In front of PATH: where fake tools go. */
  readonly bin = path.join(this.root, "bin");

  /** A `shared` store holds what other tests compiled: libarcrt, above all. */
  constructor(files: Readonly<Record<string, string>> = {}, store: "own" | "shared" = "own") {
    const shared = process.env.ARC_TEST_STORE;
    this.store = store === "shared" && shared !== undefined ? shared : path.join(this.root, "store");
    mkdirSync(this.folder);
    mkdirSync(this.bin);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), "utf8");
  }

  /** Of a file beside the project, where fake tools write. */
  readOutside(name: string): string {
    return readFileSync(path.join(this.root, name), "utf8");
  }

  has(name: string): boolean {
    return existsSync(path.join(this.folder, name));
  }

  /** Files of the project, sorted. */
  list(): readonly string[] {
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => statSync(path.join(this.folder, name)).isFile()).sort();
  }

  remove(name: string): void {
    rmSync(path.join(this.folder, name), { recursive: true });
  }

  /** A program of the test's own making, found before the system's. */
  tool(name: string, script: string): void {
    const file = path.join(this.bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  arc(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return this.run(arcProgram, args, options);
  }

  run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { PATH = "", HOME = "", LANG = "C" } = process.env;
    const env = { PATH: `${this.bin}:${PATH}`, HOME, LANG, ARC_STORE: this.store, ...options.env };
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: path.join(this.folder, options.cwd ?? "."), env });
      let out = "";
      let err = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const { interruptAt } = options;
        const isAwaited = interruptAt !== undefined && !out.includes(interruptAt);
        out += text;
        if (isAwaited && out.includes(interruptAt)) child.kill("SIGINT");
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        err += text;
      });
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, out, err }));
      child.stdin.on("error", () => {}).end(options.stdin ?? "");
    });
  }
}

export const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
