/** A call of a command on a store. */
import type { Call } from "../call/call.ts";
export interface StoreCall extends Call {
  readonly folder: string;
  /** arc.yaml's limit in bytes, else that of every build. */
  readonly limit: number;
}
