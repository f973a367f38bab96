/** The tables of the parts that Verilog is made for. */
import type { LogicDevice } from "../../core/hw/device.ts";
import cyclonev from "../devices/cyclonev-5csema5.json" with { type: "json" };
import ecp5x25 from "../devices/ecp5-25k.json" with { type: "json" };
import ecp5x45 from "../devices/ecp5-45k.json" with { type: "json" };
import ecp5x85 from "../devices/ecp5-85k.json" with { type: "json" };
import iceHx8k from "../devices/ice40-hx8k.json" with { type: "json" };
import iceLp8k from "../devices/ice40-lp8k.json" with { type: "json" };
import iceUp5k from "../devices/ice40-up5k.json" with { type: "json" };
import xc7a35t from "../devices/xc7a35t.json" with { type: "json" };
import xc7z020 from "../devices/xc7z020.json" with { type: "json" };
import type { Resources } from "../shared/report.ts";
import { parts, type TableName } from "./parts.ts";

const tables: Readonly<Record<TableName, LogicDevice>> = {
  "ice40-hx8k": iceHx8k,
  "ice40-lp8k": iceLp8k,
  "ice40-up5k": iceUp5k,
  "ecp5-25k": ecp5x25,
  "ecp5-45k": ecp5x45,
  "ecp5-85k": ecp5x85,
  xc7a35t,
  xc7z020,
  "cyclonev-5csema5": cyclonev,
};

export const hx8k = tables["ice40-hx8k"];

/** Of a part by its name in arc.yaml; without one designs are made for the smallest. */
export const tableOf = (part: unknown): LogicDevice => {
  const known = typeof part === "string" ? parts[part] : undefined;
  return known === undefined ? hx8k : tables[known.table];
};

export const resourcesOf = ({ resources }: LogicDevice): Resources =>
  Object.fromEntries(
    Object.entries(resources).filter((entry): entry is [string, number] => entry[0] !== "source"),
  );
