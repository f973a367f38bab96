/**
 * Requests to a shared cache. A slow or failing server costs a bounded delay: each request has a limit, and the cache is
 * given up after a few failures in a row, after one denial, or when it took more time than it saved. A server that only
 * refuses uploads is still read.
 */
import { setMaxListeners } from "node:events";
import pLimit from "p-limit";
import { type Attempt, Refused } from "./transport.ts";

export interface RequestOptions {
  /** How many seconds more may be spent waiting than are saved; default 30. */
  readonly patienceSeconds?: number;
  /** Called once when the cache is given up, and once when uploads stop. */
  readonly onTrouble: (message: string) => void;
}

type Kind = "read" | "write";

/** How many requests in a row may fail. */
const FAILURES = 3;
/** The slowest accepted rate, in bytes per second. */
const SLOWEST = 100_000;

/** Parallel requests, for reads and for writes each. */
const AT_ONCE = 8;

export class Requests {
  /** Of the cache, for messages. */
  readonly #name: string;
  readonly #options: RequestOptions;
  readonly #abort = new AbortController();
  /** Separate limits, so that no download waits for uploads. */
  readonly #turns = { read: pLimit(AT_ONCE), write: pLimit(AT_ONCE) };
  /** Failed requests in a row; for writes, also those that the server refused. */
  readonly #failures = { read: 0, write: 0 };
  /** Why the first request failed; "" once another succeeded or the failure was reported. */
  #unreported: string | undefined;
  /** Number of requests under way. */
  #asking = 0;
  /** The time with requests under way was counted up to here, in ms. */
  #countedTo = 0;
  /** How many seconds more were spent waiting than were saved. */
  #lostSeconds = 0;

  constructor(name: string, options: RequestOptions) {
    this.#name = name;
    this.#options = options;
    // One listener for each request under way.
    setMaxListeners(0, this.#abort.signal);
  }

  /** False once it was given up. */
  get isUsable(): boolean {
    return this.#failures.read < FAILURES && this.#lostSeconds <= (this.#options.patienceSeconds ?? 30);
  }

  /** Whether uploads are tried. */
  get takes(): boolean {
    return this.isUsable && this.#failures.write < FAILURES;
  }

  /** Ends all requests. */
  abort(): void {
    this.#abort.abort();
  }

  /** Reports failures that nothing else reported. */
  finish(): void {
    if (this.#unreported) this.report(`was of no use: ${this.#unreported}`);
  }

  /** Never below 0, so that the time that one result claims to save does not excuse later delays. */
  noteSaved(seconds: number): void {
    this.#lostSeconds = Math.max(0, this.#lostSeconds - seconds);
  }

  /** Counts the time spent waiting, however many requests run in parallel. */
  async counted<T>(question: Promise<T>): Promise<T> {
    if (this.#asking === 0) this.#countedTo = performance.now();
    this.#asking += 1;
    try {
      return await question;
    } finally {
      const wasUsable = this.isUsable;
      const now = performance.now();
      this.#lostSeconds += (now - this.#countedTo) / 1000;
      this.#countedTo = now;
      this.#asking -= 1;
      if (wasUsable && !this.isUsable) this.#giveUp("it costs more time than it saves");
    }
  }

  /**
   * Undefined when the request failed, timed out, or is not tried any more; `latest` (ms) is a hard deadline. The time
   * limit counts from the start of the request, not from queueing.
   */
  try<T>(
    kind: Kind,
    seconds: number,
    request: (attempt: Attempt) => Promise<T>,
    latest = Number.POSITIVE_INFINITY,
  ): Promise<T | undefined> {
    return this.#turns[kind](() => this.#attempt(kind, seconds, request, latest));
  }

  async #attempt<T>(
    kind: Kind,
    seconds: number,
    request: (attempt: Attempt) => Promise<T>,
    latest: number,
  ): Promise<T | undefined> {
    if (!(kind === "read" ? this.isUsable : this.takes) || this.#abort.signal.aborted) return undefined;
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    // Bytes that arrive extend the deadline, at a rate that a server cannot abuse.
    let deadline = performance.now() + seconds * 1000;
    let timer: NodeJS.Timeout | undefined;
    const watch = (): void => {
      const left = Math.min(deadline, latest) - performance.now();
      if (left <= 0) stop();
      else timer = setTimeout(watch, left);
    };
    watch();
    this.#abort.signal.addEventListener("abort", stop, { once: true });
    const onBytes = (count: number): void => {
      deadline += (count / SLOWEST) * 1000;
    };
    try {
      const answer = await unlessAborted(limit.signal, request({ signal: limit.signal, onBytes }));
      this.#unreported = "";
      for (const one of ["read", kind] as const) if (this.#failures[one] < FAILURES) this.#failures[one] = 0;
      return answer;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      const why = limit.signal.aborted ? "it gave no answer in time" : (error as Error).message;
      if (error instanceof Refused) this.#noteFailure(kind, why, error.forGood);
      else this.#noteFailure("read", why, false);
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#abort.signal.removeEventListener("abort", stop);
    }
  }

  #noteFailure(kind: Kind, why: string, forGood: boolean): void {
    this.#unreported ??= why;
    const before = this.#failures[kind];
    this.#failures[kind] = forGood ? Math.max(before, FAILURES) : before + 1;
    if (before >= FAILURES || this.#failures[kind] < FAILURES) return;
    if (kind === "read") this.#giveUp(why);
    else if (this.isUsable) {
      this.#unreported = "";
      this.report(`gets nothing more from this build: ${why}`);
    }
  }

  #giveUp(why: string): void {
    this.#unreported = "";
    this.report(`is not used any more in this build: ${why}`);
  }

  report(what: string): void {
    this.#options.onTrouble(`the shared cache ${this.#name} ${what}`);
  }
}

/** Node does not always say that an answer is cut off: whoever waits for its end would wait for ever. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
