/** Long logs of failures, of which a terminal shows the end: what it was about mostly stands there. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Address } from "../../core/build/model/action.ts";

const SHOWN = 20;
/** So few lines more are shown, too. */
const SPARE = 5;

export interface Folded {
  readonly text: string;
  /** Lines before these. */
  readonly hidden: number;
}

export function fold(log: string): Folded {
  const lines = log.replace(/\s+$/, "").split("\n");
  if (lines.length <= SHOWN + SPARE) return { text: log, hidden: 0 };
  return { text: lines.slice(-SHOWN).join("\n"), hidden: lines.length - SHOWN };
}

/** Keeps the whole logs of one build's failures as files of the project's `.arc`. */
export class LogFiles {
  readonly #folder: string;
  #isFresh = false;

  constructor(root: string) {
    this.#folder = path.join(root, ".arc", "failed");
  }

  /** The end of a log with a word on where all of it is. A log that cannot be kept is shown whole. */
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
