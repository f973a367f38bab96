/** Keys of the terminal while something is shown on it. Who came last hears a key first, and may leave it to those before. */
import { readFileSync } from "node:fs";

/** A character, or the name of a key that has none. */
export type Key = string;

/** False: the key means nothing here. */
export type KeyListener = (key: Key) => boolean;

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

/** Undefined: none that counts. */
function keyOf(piece: string): Key | undefined {
  const named = NAMED[piece];
  if (named !== undefined) return named;
  return piece >= " " ? piece : undefined;
}

/** So many characters at once nobody types: they are pasted, and not meant as keys. */
const PASTED = 8;

/** The keys of a piece of input: who holds one down, or a busy machine, makes several of it. */
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

  /** `isOurs`: whether the terminal may be read without stopping this process. */
  constructor(stdin: Terminal, isOurs: () => boolean = isInForeground) {
    this.#stdin = stdin;
    this.#isOurs = isOurs;
  }

  /** Until the returned function is called. */
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
    // What the terminal does itself where keys are not read one by one.
    if (key === "interrupt") process.kill(0, "SIGINT");
    else if (key === "suspend") this.#suspend();
    else for (const listener of [...this.#listeners].reverse()) if (listener(key)) return;
  }

  #suspend(): void {
    this.#stdin.setRawMode(false);
    process.kill(0, "SIGTSTP");
  }

  /** In the background now, perhaps. */
  readonly #onContinue = (): void => {
    if (!this.#isOurs()) {
      this.#isOpen = false;
      process.off("SIGCONT", this.#onContinue);
      this.#stdin.off("data", this.#onData);
      this.#stdin.pause();
    } else this.#stdin.setRawMode(true);
  };
}

/** Where that cannot be asked it is taken for granted. */
function isInForeground(): boolean {
  try {
    // proc(5): behind the name in parentheses state, parent, process group, session, terminal, its foreground group.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[2] === fields[5];
  } catch {
    return process.platform !== "linux";
  }
}

let ofProcess: Keyboard | undefined;

/** The one of this process; made when it is asked for, as the stream takes time to make. */
export function keyboard(): Keyboard {
  ofProcess ??= new Keyboard(process.stdin);
  return ofProcess;
}
