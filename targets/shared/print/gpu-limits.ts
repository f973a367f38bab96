/** Parts of C that GPU languages based on C++ support. */
import type { unsupported } from "../legalise/unsupported.ts";
import { knownBuiltins } from "./gpu-builtins.ts";

/** Device code treats long double as double, whose layout differs from the host's. */
export const gpuLimits: Parameters<typeof unsupported>[2] = {
  longDouble: true,
  variableArrays: true,
  emptyRecords: true,
  exit: true,
  types: ["_Atomic", "_Float128", "_Float16 _Complex", "__bf16", "vector_size"],
  complexRecords: true,
  printedCount: true,
  builtins: (name) => !knownBuiltins.test(name),
  hostForms: true,
};

export const gpuModel = {
  recursion: true,
  maxItems: 1024,
  defaultItems: 256,
  partition: "cyclic",
  perItem: 4,
  teams: true,
  loads: 8,
  wideInAnyLength: true,
  exchanges: true,
  stages: true,
  lastGroup: { most: 2 },
  reuse: 1 << 15,
  gather: 1 << 15,
  launchArrays: true,
  tiles: "groups",
} as const;
