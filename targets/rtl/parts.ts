/** Parts that designs can be made for, by their names in arc.yaml. */
import type { LogicDevice } from "../../core/hw/operators/device.ts";
import type { Resources } from "../shared/kind/report.ts";
import { cycloneVParts } from "./families/cyclone-v.ts";
import { ecp5Parts } from "./families/ecp5.ts";
import type { Family, Part } from "./families/family.ts";
import { gowinParts } from "./families/gowin.ts";
import { ice40Parts } from "./families/ice40.ts";
import { nexusParts } from "./families/nexus.ts";
import { sevenSeriesParts } from "./families/seven-series.ts";

export const parts: Readonly<Record<string, Part>> = {
  ...ice40Parts,
  ...ecp5Parts,
  ...nexusParts,
  ...gowinParts,
  ...sevenSeriesParts,
  ...cycloneVParts,
};

export const families: readonly Family[] = [...new Set(Object.values(parts).map(({ family }) => family))];

/** The families with open place and route, as text: `iCE40, ECP5`. */
export const placedFamilies = (): string =>
  families.flatMap(({ name, layout }) => (layout === undefined ? [] : [name])).join(", ");

/** Families whose netlists can be simulated. */
export const modelledFamilies = (): string =>
  families.flatMap(({ name, models }) => (models === undefined ? [] : [name])).join(", ");

export const hx8k = (ice40Parts["ice40-hx8k"] as Part).table;

/** `part`: an option of a target. */
export const partOf = (part: unknown): Part | undefined =>
  typeof part === "string" ? parts[part] : undefined;

/** Without a part, designs are made for the smallest one. */
export const tableOf = (part: unknown): LogicDevice => partOf(part)?.table ?? hx8k;

export const resourcesOf = ({ resources }: LogicDevice): Resources =>
  Object.fromEntries(
    Object.entries(resources).filter((entry): entry is [string, number] => entry[0] !== "source"),
  );
