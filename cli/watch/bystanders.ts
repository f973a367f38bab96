/**
 * Files in the project that were saved though no build reads them, such as a log that somebody writes the words of
 * this very watch to. That is said once. After it their saves are no edits, lest a watch answers its own words for ever.
 */
import { statSync } from "node:fs";
import path from "node:path";
import type { BuildResult } from "../../core/build/outcome.ts";
import type { Check } from "../../core/build/uptodate.ts";
import { isRead } from "./reach.ts";

export class Bystanders {
  readonly #root: string;
  readonly #files = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a batch is of nothing else. What is removed or put back may matter to a folder that is read. */
  areAll(files: readonly string[]): boolean {
    return files.every((file) => this.#files.has(file) && this.#isFile(file));
  }

  /**
   * After a build for an edit of `files`. `check` tells what has changed since, which takes a look at every file: it is
   * asked where a file was saved that no action read. `failures`: what was said of them.
   */
  learn(
    files: readonly string[],
    result: BuildResult,
    check: () => Check | undefined,
    failures: string,
  ): void {
    // Of a build that failed nobody knows all that it would have read.
    const unread = result.ok ? files.filter((file) => this.#isFile(file) && !isRead(file, result)) : [];
    if (unread.length === 0 && this.#files.size === 0) return;
    const { upToDate = false, rows } = check() ?? {};
    if (upToDate) for (const file of unread) this.#files.add(file);
    const known = new Set(rows?.paths);
    for (const file of this.#files)
      if (known.has(file) || isRead(file, result) || failures.includes(path.basename(file)))
        this.#files.delete(file);
  }

  #isFile(file: string): boolean {
    return statSync(path.resolve(this.#root, file), { throwIfNoEntry: false })?.isFile() === true;
  }
}
