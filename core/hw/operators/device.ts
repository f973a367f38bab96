/** A device family as scheduling and cost see it. Entries come from data files. */
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import type { LogicTiming } from "./timing.ts";

export interface LogicDevice extends DeviceProfile {
  /** Delays of the logic, with where they come from. */
  readonly logic: LogicTiming & { readonly source: string };
  /** Clock that designs aim for, in MHz. */
  readonly clock: number;
  /** What the part has, by the words of reports. */
  readonly resources: { readonly source: string; readonly [resource: string]: number | string };
  /** One block of its memory. */
  readonly blockRam: {
    /** In words of 8, 16 and 32 bits. */
    readonly bits: number;
    /** Numbers of words that it can be cut into. */
    readonly depths: readonly number[];
    readonly source: string;
  };
}
