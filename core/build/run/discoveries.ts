/** Files that one run was seen to read, or looked for in vain: inputs that nobody declared. */
import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { FileTable } from "../files/files.ts";
import type { Discovered } from "../key/result.ts";
import type { Digest } from "../model/action.ts";
import { thisMoment } from "../model/clock.ts";
import { type Awaited, MustWait } from "../state/decide.ts";
import { InputMoved } from "./staging.ts";

interface DiscoverySite {
  readonly files: FileTable;
  /** The other action that has yet to write a path. */
  readonly awaited: Awaited;
  /** The other action that wrote a path while this one ran. */
  readonly writtenMeanwhile: Awaited;
}

export class Discoveries {
  readonly #site: DiscoverySite;
  readonly #read = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #started = thisMoment();

  constructor(site: DiscoverySite) {
    this.#site = site;
  }

  read(file: string): void {
    this.#read.add(this.#projectPath(file));
  }

  missed(file: string): void {
    this.#missing.add(this.#projectPath(file));
  }

  names(): string[] {
    return [...this.#missing, ...this.#read];
  }

  /**
   * For a run that failed: perhaps because another action has yet to write a file, or wrote it during the run. Throws
   * MustWait.
   */
  checkWriters(): void {
    for (const file of this.names()) {
      this.#checkWritten(file);
      this.#checkNotWritten(file);
    }
  }

  /** Their digests. A file that changed since the start may not be what was read. Throws MustWait, InputMoved. */
  take(): Discovered | undefined {
    if (this.#read.size === 0 && this.#missing.size === 0) return undefined;
    const { files } = this.#site;
    const found: [string, Digest][] = [];
    for (const file of [...this.#read].sort()) {
      this.#checkWritten(file);
      files.forget(file);
      const state = files.look(file);
      if (state.kind === "absent" || files.mayHaveChangedSince(file, this.#started)) {
        this.#checkNotWritten(file);
        throw new InputMoved(file);
      }
      found.push([file, state.digest]);
    }
    const missing = [...this.#missing].filter((file) => !this.#read.has(file)).sort();
    return { files: found, missing: missing.filter((file) => this.#isMissing(file)) };
  }

  /**
   * Whether a name was looked for and did not exist. If it exists and existed before, it was skipped and does not
   * matter.
   */
  #isMissing(file: string): boolean {
    const { files } = this.#site;
    this.#checkWritten(file);
    if (existsSync(files.absolute(file))) this.#checkNotWritten(file);
    return files.recordMissing(file, this.#started);
  }

  #checkWritten(file: string): void {
    const producer = this.#site.awaited(file);
    if (producer !== undefined) throw new MustWait(producer);
  }

  /**
   * The action may have missed a file written during the run. Waiting for its producer is not a failed try, as each
   * producer finishes only once.
   */
  #checkNotWritten(file: string): void {
    const producer = this.#site.writtenMeanwhile(file);
    if (producer !== undefined) throw new MustWait(producer);
  }

  #projectPath(file: string): string {
    const { root } = this.#site.files;
    const absolute = resolve(root, file);
    const inside = relative(root, absolute);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? absolute : inside;
  }
}
