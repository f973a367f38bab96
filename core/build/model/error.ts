/** Errors of the engine: what is wrong, why, and what to do instead. */
import type { Address } from "./action.ts";
import { systemProblem } from "./system-error.ts";

type EngineErrorCode =
  /** Actions that need each other. */
  | "cycle"
  | "duplicate-address"
  | "duplicate-output"
  | "output-outside-project"
  | "output-is-input"
  | "bad-name"
  | "unknown-action"
  | "unknown-output"
  | "unknown-step"
  | "unknown-expansion"
  | "unknown-executor"
  /** A requested device is not on this machine. */
  | "missing-device"
  | "unknown-target"
  | "missing-input"
  /** The input was written by an action that no longer exists. */
  | "leftover-input"
  | "unreadable-input"
  | "broken-promise"
  | "place-occupied"
  | "output-missing"
  | "input-written"
  | "tool-not-found"
  | "tool-failed"
  | "store-unusable"
  | "state-unusable"
  /** Something other than a file lies where records are kept. */
  | "log-unusable"
  | "blob-missing"
  | "blob-corrupt"
  | "bad-record"
  | "not-built"
  | "unsatisfiable"
  | "bad-remote"
  | "slurm-failed"
  | "not-canonical";

export class EngineError extends Error {
  readonly code: EngineErrorCode;
  /** What the user can do about it, as one sentence. */
  readonly remedy: string;
  readonly addresses: readonly Address[];

  constructor(
    code: EngineErrorCode,
    message: string,
    remedy: string,
    addresses: readonly Address[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "EngineError";
    this.code = code;
    this.remedy = remedy;
    this.addresses = addresses;
  }
}

/** The error as text for people, with a remedy where one is known. */
export function describeError(error: unknown): string {
  const problem = error instanceof EngineError ? error : systemProblem(error);
  if (problem !== undefined) return `${problem.message}; ${problem.remedy}`;
  if (!(error instanceof Error)) return String(error) || "an error without a message";
  return error.message || unnamed(error);
}

/** An error that nobody expected to be shown: where it is from is all that is known. */
function unnamed(error: Error): string {
  const [, from] = /^\s*at (?:new |async )?([\w$.#<>]+) \(/m.exec(error.stack ?? "") ?? [];
  return `${error.constructor.name} without a message${from === undefined ? "" : ` in ${from}`}: an error in arc itself`;
}

const LOST: readonly EngineErrorCode[] = ["blob-missing", "blob-corrupt", "bad-record"];

/** The store no longer has the bytes, or has wrong ones. */
export function isBlobLost(error: unknown): error is EngineError {
  return error instanceof EngineError && LOST.includes(error.code);
}
