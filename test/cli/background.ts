/** An `arc` that goes on while the test does: a watch, a server, a long build. */
import { type ChildProcess, spawn } from "node:child_process";
import { arcProgram, type Rig } from "./rig.ts";

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

  /** Until what it said so far (both streams) passes; rejects when it ends before. */
  async until(isSo: (said: string) => boolean): Promise<void> {
    while (!isSo(this.out + this.err)) {
      if (this.#isOver) throw new Error(`arc ended, and said:\n${this.out}${this.err}`);
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
      });
    }
  }

  /** Its exit status. */
  end(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }
}
