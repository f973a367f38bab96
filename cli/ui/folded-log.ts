/** Shortens long logs of failures to their end, which usually names the problem. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Address } from "../../core/build/model/action.ts";

const SHOWN = 20;
/** A log that is longer by no more than this is shown completely. */
const SPARE = 5;

interface Folded {
  readonly text: string;
  /** Number of lines left out before. */
  readonly hidden: number;
}

export function fold(log: string): Folded {
  const text = log.trimEnd();
  // A long log has millions of lines, too many to make each a string.
  let lines = 1;
  let shown = 0;
  for (let at = text.lastIndexOf("\n"); at >= 0; at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1)) {
    if (lines === SHOWN) shown = at + 1;
    lines += 1;
  }
  if (lines <= SHOWN + SPARE) return { text: log, hidden: 0 };
  return { text: text.slice(shown), hidden: lines - SHOWN };
}

/** Stores the complete logs of one build's failures in the project's `.arc`. */
export class LogFiles {
  readonly #folder: string;
  #isFresh = false;

  constructor(root: string) {
    this.#folder = path.join(root, ".arc", "failed");
  }

  /** The end of a log with a note on where the complete log is. A log that cannot be stored is shown completely. */
  folded(address: Address, log: string): string {
    const { text, hidden } = fold(log);
    if (hidden === 0) return log;
    const file = path.join(this.#folder, `${address.replace(/[^\w.:#-]+/g, "_").slice(0, 200)}.log`);
    try {
      if (!this.#isFresh) rmSync(this.#folder, { recursive: true, force: true });
      this.#isFresh = true;
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(file, log);
    } catch {
      return log;
    }
    const shown = path.relative(process.cwd(), file);
    return `… ${hidden} lines before these are in ${shown}\n${text}`;
  }
}
