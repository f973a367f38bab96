/** A project with stand-ins for its device compilers: builds it and counts the compilers' calls. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Rig } from "../cli/rig.ts";
import { allJobs, type Job, script, type Tool, tools, type Versions } from "./devices.ts";
import type { Files } from "./subjects.ts";

/** The function of each kernel that a tool was called for, sorted. */
export type Calls = Readonly<Record<Job, readonly string[]>>;

export const callsBy = (of: (job: Job) => readonly string[]): Calls =>
  Object.fromEntries(allJobs.map((job) => [job, [...of(job)].sort()])) as unknown as Calls;

export interface Build {
  readonly calls: Calls;
  /** The digests of the files for each device or its simulation, and of each report, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export class Bench {
  readonly #rig: Rig;
  readonly #log: string;
  readonly #run: string;
  /** Lines of the log that were counted. */
  #read = 0;
  #files: Files;
  #versions: Partial<Versions> = {};

  /** `run` is part of the versions that the stand-ins report, so that a store has no results from another run. */
  constructor(files: Files, versions: Versions, run: string, store: "own" | "shared") {
    this.#rig = new Rig(files, store);
    this.#files = files;
    this.#run = run;
    this.#log = path.join(this.#rig.root, "calls");
    writeFileSync(this.#log, "");
    this.install(versions);
  }

  /** From now on the stand-ins report these versions. */
  install(versions: Versions): void {
    for (const tool of tools) if (versions[tool] !== this.#versions[tool]) this.#put(tool, versions[tool]);
    this.#versions = versions;
  }

  #put(tool: Tool, version: string): void {
    this.#rig.tool(tool, script(tool, version, this.#log, this.#run));
  }

  /** The project has these files from now on. */
  write(files: Files): void {
    for (const name of Object.keys(this.#files)) if (!(name in files)) this.#rig.remove(name);
    for (const [name, text] of Object.entries(files))
      if (this.#files[name] !== text) this.#rig.write(name, text);
    this.#files = files;
  }

  async build(addresses: readonly string[]): Promise<Build> {
    const { status, err } = await this.#rig.arc(["build", ...addresses]);
    expect(status, err).toBe(0);
    const lines = readFileSync(this.#log, "utf8").split("\n").filter(Boolean);
    const fresh = lines.slice(this.#read).map((line) => line.split(": "));
    this.#read = lines.length;
    const kernelsOf = (job: Job): readonly string[] =>
      fresh.flatMap(([name, kernels = ""]) => (name === job ? kernels.split(" ").filter(Boolean) : []));
    return { calls: callsBy(kernelsOf), files: this.#deviceFiles() };
  }

  #deviceFiles(): Readonly<Record<string, string>> {
    const found = this.#rig.list().filter((name) => /\/default\/.*\.arci$|\/configuration\//.test(name));
    const digest = (file: string): string =>
      createHash("sha256")
        .update(readFileSync(path.join(this.#rig.folder, file)))
        .digest("hex");
    return Object.fromEntries(found.map((file) => [file, digest(file)]));
  }
}
