/** A call of a command that works on a store. */
import type { Call } from "../call/call.ts";
export interface StoreCall extends Call {
  readonly folder: string;
  /** The size limit of arc.yaml in bytes, else the default. */
  readonly limit: number;
}
