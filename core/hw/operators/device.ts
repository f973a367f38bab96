/** A device family as scheduling and cost estimation see it. Entries come from data files. */
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import type { LogicTiming } from "./timing.ts";

export interface LogicDevice extends DeviceProfile {
  /** Delays of the logic, with their source. */
  readonly logic: LogicTiming & { readonly source: string };
  /** Target clock of designs, in MHz. */
  readonly clock: number;
  /** The part's resources, under the names used in reports. */
  readonly resources: { readonly source: string; readonly [resource: string]: number | string };
  /** One block of its memory. */
  readonly blockRam: {
    /** With words of 8, 16 and 32 bits. */
    readonly bits: number;
    /** Possible numbers of words. */
    readonly depths: readonly number[];
    readonly source: string;
  };
}
