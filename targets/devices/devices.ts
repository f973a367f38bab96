/** The devices whose tables are part of arc. Each entry of a table names its source, or says "assumed". */
import type { DeviceProfile } from "../../core/ir/model/device-profile.ts";
import arria10 from "./arria-10.json" with { type: "json" };
import stratix10 from "./stratix-10.json" with { type: "json" };
import stratixV from "./stratix-v.json" with { type: "json" };
import ultrascalePlus from "./ultrascale-plus.json" with { type: "json" };

const devices: readonly DeviceProfile[] = [stratixV, arria10, stratix10, ultrascalePlus];

export function findDevice(family: string): DeviceProfile | undefined {
  return devices.find((d) => d.family === family);
}
