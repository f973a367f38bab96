/** The model of a design's energy, for code that must load without the kinds. */
export { launchEnergy, type Power } from "../../../targets/shared/kind/energy.ts";
