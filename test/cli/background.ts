/** An `arc` that runs in the background of a test: a watch, a server, a long build. */
import { type ChildProcess, spawn } from "node:child_process";
import { arcProgram, type Rig } from "./rig.ts";

/** Shorter than the test's own limit, so that a hang shows the output so far. */
const SILENCE_MS = 50_000;

export class Background {
  out = "";
  err = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #isOver = false;
  #woken: () => void = () => {};

  constructor(
    rig: Rig,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    program = arcProgram,
  ) {
    const { PATH = "", HOME = "" } = process.env;
    this.#child = spawn(program, args, {
      cwd: rig.folder,
      env: { PATH: `${rig.bin}:${PATH}`, HOME, ARC_STORE: rig.store, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.out += text;
      this.#woken();
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.err += text;
      this.#woken();
    });
    this.#ended = new Promise((resolve) =>
      this.#child.on("close", (code) => {
        this.#isOver = true;
        this.#woken();
        resolve(code);
      }),
    );
  }

  /**
   * Waits until the output so far (both streams) passes; rejects if the process ends first, or prints nothing for too
   * long.
   */
  async until(isSo: (said: string) => boolean): Promise<void> {
    while (!isSo(this.out + this.err)) {
      if (this.#isOver) throw new Error(`arc ended, and said:\n${this.out}${this.err}`);
      const isSilent = await new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(true), SILENCE_MS);
        this.#woken = () => {
          clearTimeout(late);
          resolve(false);
        };
      });
      if (isSilent && !isSo(this.out + this.err))
        throw new Error(`arc has gone silent, and said before:\n${this.out}${this.err}`);
    }
  }

  /** Its exit status. */
  end(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }
}
