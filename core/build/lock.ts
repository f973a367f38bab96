/** One build at a time in a project: a file that names the process that builds. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError, errnoOf } from "./error.ts";
import { fault } from "./fault.ts";
import { describeHolder, holderName, isHolderAlive } from "./holder.ts";
import { uniqueName } from "./unique.ts";

export interface Lock {
  /** The file system's clock minus ours, in ms: seen when the file was made. */
  readonly clockSkewMs: number;
  release(): void;
}

/** When another living process holds it, who. Throws `state-unusable`. */
export function tryLock(directory: string): Lock | { readonly heldBy: string } {
  const file = join(directory, "lock");
  for (;;) {
    const before = Date.now();
    if (makeLock(directory, file)) {
      return { clockSkewMs: skew(file, before), release: () => rmSync(file, { force: true }) };
    }
    const holder = readHolder(file);
    if (holder !== undefined && isHolderAlive(holder)) return { heldBy: describeHolder(holder) };
    breakLock(file);
  }
}

/** The living process that holds it, for people. */
export function lockHolder(directory: string): string | undefined {
  const holder = readHolder(join(directory, "lock"));
  return holder !== undefined && isHolderAlive(holder) ? describeHolder(holder) : undefined;
}

/** Made whole by a link, which fails where a file is: nobody ever sees a lock without its holder. */
function makeLock(directory: string, file: string): boolean {
  const temporary = `${file}.${uniqueName()}`;
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(temporary, holderName());
  } catch (error) {
    throw new EngineError(
      "state-unusable",
      `${directory} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      "make the project's folder writable, or free some space",
      [],
      { cause: error },
    );
  }
  fault("lock:before-link");
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Less than a second is a tick and the time between two system calls, not another clock. */
function skew(file: string, before: number): number {
  const difference = statSync(file).mtimeMs - before;
  return Math.abs(difference) < 1000 ? 0 : difference;
}

function readHolder(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Renames before removing, so that of two who break it only one succeeds and neither breaks a new one. */
function breakLock(file: string): void {
  const aside = `${file}.${uniqueName()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = readHolder(aside);
  try {
    // Between the look and the rename another process may have taken it: it gets it back.
    if (moved !== undefined && isHolderAlive(moved)) linkSync(aside, file);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
