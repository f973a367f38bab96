/**
 * The results with which those of a variant's runs are compared: the serial program's where `arc verify` has them, and
 * otherwise those of the variant's first run, which are kept beside its measurements.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import { runAddress } from "../../rules/inputs/addresses.ts";
import type { Results } from "../../rules/steps/compare-results.ts";
import { stdoutName } from "../../rules/steps/run.ts";
import type { Run } from "../../schema/contract/project.ts";
import { resultAt } from "../project/results.ts";
import type { Workspace } from "../project/workspace.ts";

/** Results of more bytes are not kept for later calls, which then compare their own runs alone. */
const MOST_KEPT = 64 * 2 ** 20;

/** Undefined if the serial program did not run, or would run again: what it left is of another source or input. */
export async function serialResults(
  { engine, plan }: Workspace,
  run: Run,
  signal: AbortSignal,
): Promise<Results | undefined> {
  const address = runAddress("serial", run.name);
  const ran = resultAt(engine, address);
  if (ran === undefined || ran.failure !== undefined) return undefined;
  if (![...plan.actions.addresses()].includes(address)) return undefined;
  const { outcomes } = await engine.build(plan.actions, {
    targets: [address],
    dryRun: true,
    keepGoing: true,
    signal,
  });
  if (outcomes.get(address)?.verdict !== "up-to-date") return undefined;
  const file = async (name: string): Promise<Uint8Array | undefined> =>
    ran.outputs.some((output) => output.name === name) ? engine.read(address, name) : undefined;
  const stdout = await file(stdoutName);
  return stdout === undefined
    ? undefined
    : { by: "the serial program", stdout: Buffer.from(stdout).toString("utf8"), file };
}

/** Results that lie in a folder, with files under their own names. */
export const resultsIn = (folder: string, by: string, stdout: string): Results => ({
  by,
  stdout,
  file: (name) => readFile(path.join(folder, name)).catch(() => undefined),
});

/** Results of the first run of all calls. */
export class FirstResults {
  private readonly folder: string;
  private readonly run: Run;
  private first: Results | undefined;

  constructor(store: string, key: Digest, run: Run) {
    // With other files declared as outputs, those of the first run are not there.
    const of = digestBytes(JSON.stringify([key, run.outputs.map(({ file }) => file)]));
    this.folder = path.join(store, "measurements", `${of}.results`);
    this.run = run;
  }

  /** Undefined until there was a run. */
  get(): Results | undefined {
    if (this.first === undefined && existsSync(path.join(this.folder, stdoutName))) {
      const stdout = readFileSync(path.join(this.folder, stdoutName), "utf8");
      this.first = resultsIn(this.folder, "the first run", stdout);
    }
    return this.first;
  }

  async set(results: Results): Promise<void> {
    const files = new Map<string, Uint8Array>();
    for (const { file } of this.run.outputs) {
      const bytes = await results.file(file);
      if (bytes !== undefined) files.set(file, bytes);
    }
    const size = [...files.values()].reduce((sum, { length }) => sum + length, results.stdout.length);
    this.first = { by: "the first run", stdout: results.stdout, file: async (name) => files.get(name) };
    if (size <= MOST_KEPT) this.keep(results.stdout, files);
  }

  /** Made elsewhere and renamed, so that no other call reads half of them. */
  private keep(stdout: string, files: ReadonlyMap<string, Uint8Array>): void {
    mkdirSync(path.dirname(this.folder), { recursive: true });
    const made = mkdtempSync(`${this.folder}.`);
    for (const [name, bytes] of [...files, [stdoutName, stdout] as const]) {
      const file = path.join(made, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    try {
      renameSync(made, this.folder);
    } catch {
      // Another call was faster: its run was the first.
      rmSync(made, { recursive: true, force: true });
    }
  }
}
