/** Keyboard input while something is shown on the terminal. The newest listener gets a key first and may pass it on. */
import { readFileSync } from "node:fs";

/** A character, or the name of a key without one. */
export type Key = string;

/** Returns false if the key means nothing here. */
type KeyListener = (key: Key) => boolean;

const NAMED: Readonly<Record<string, Key>> = {
  "\u001b": "escape",
  "\u001b[A": "up",
  "\u001bOA": "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  "\r": "enter",
  "\n": "enter",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "interrupt",
  "\u001c": "interrupt",
  "\u001a": "suspend",
};

/** Undefined: a key that is ignored. */
function keyOf(piece: string): Key | undefined {
  const named = NAMED[piece];
  if (named !== undefined) return named;
  return piece >= " " ? piece : undefined;
}

/** More characters than this at once were pasted and are not meant as keys. */
const PASTED = 8;

/** Splits input into keys: a key held down, or a busy machine, delivers several at once. */
export function keysOf(text: string): readonly Key[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: so terminals tell of keys (ECMA-48: CSI and SS3).
  const pieces = text.match(/\u001b(\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu) ?? [];
  if (pieces.filter((piece) => piece >= " ").length >= PASTED) return [];
  return pieces.flatMap((piece) => keyOf(piece) ?? []);
}

type Terminal = Pick<NodeJS.ReadStream, "isTTY" | "setRawMode" | "on" | "off" | "pause" | "resume">;

export class Keyboard {
  readonly #stdin: Terminal;
  readonly #isOurs: () => boolean;
  readonly #listeners: KeyListener[] = [];
  #isOpen = false;

  /** `isOurs`: whether reading the terminal will not stop this process. */
  constructor(stdin: Terminal, isOurs: () => boolean = isInForeground) {
    this.#stdin = stdin;
    this.#isOurs = isOurs;
  }

  /** Listens until the returned function is called. */
  listen(listener: KeyListener): () => void {
    this.#listeners.push(listener);
    this.#open();
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
      if (this.#listeners.length === 0) this.#close();
    };
  }

  #open(): void {
    if (this.#isOpen || !this.#stdin.isTTY || !this.#isOurs()) return;
    this.#isOpen = true;
    this.#stdin.setRawMode(true);
    this.#stdin.on("data", this.#onData);
    this.#stdin.resume();
    process.on("SIGCONT", this.#onContinue);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("SIGCONT", this.#onContinue);
    this.#stdin.off("data", this.#onData);
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  readonly #onData = (data: Buffer | string): void => {
    for (const key of keysOf(data.toString("utf8"))) this.#press(key);
  };

  #press(key: Key): void {
    // In raw mode the terminal does not handle these keys itself.
    if (key === "interrupt") process.kill(0, "SIGINT");
    else if (key === "suspend") this.#suspend();
    else for (const listener of [...this.#listeners].reverse()) if (listener(key)) return;
  }

  #suspend(): void {
    this.#stdin.setRawMode(false);
    process.kill(0, "SIGTSTP");
  }

  /** The process may be in the background now. */
  readonly #onContinue = (): void => {
    if (!this.#isOurs()) {
      this.#isOpen = false;
      process.off("SIGCONT", this.#onContinue);
      this.#stdin.off("data", this.#onData);
      this.#stdin.pause();
    } else this.#stdin.setRawMode(true);
  };
}

/** Assumed to be true if it cannot be determined. */
function isInForeground(): boolean {
  try {
    // proc(5): after the name in parentheses come state, parent, process group, session, terminal, its foreground
    // group.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[2] === fields[5];
  } catch {
    return process.platform !== "linux";
  }
}

let ofProcess: Keyboard | undefined;

/** The keyboard of this process; made on demand, as creating the stream takes time. */
export function keyboard(): Keyboard {
  ofProcess ??= new Keyboard(process.stdin);
  return ofProcess;
}
