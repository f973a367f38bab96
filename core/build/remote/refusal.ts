/** Why a store's server refuses a request, in the form that clients receive. */
import { errnoOf } from "../model/system-error.ts";

export class Refusal extends Error {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.headers = headers;
  }
}

/** The message contains no path of the server. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const errno = errnoOf(error);
  if (errno === "ENOSPC" || errno === "EDQUOT")
    return new Refusal(507, "the disk of this cache is full: free some space there, or prune the store");
  return new Refusal(500, `the store cannot be used${errno === undefined ? "" : `: ${errno}`}`);
}
