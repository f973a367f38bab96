/**
 * The set `target_device` of context selectors (OpenMP 5.2, section 7.1): traits of the device that directives without a
 * `device` clause are for, or of the one that `device_num` tells. Host code asks the runtime when it runs; a region asks
 * for the device that it is on.
 */
import type { Expr } from "../../../lang/tree/ast.ts";
import { binary, call, ident, intLit, unary } from "../../../lang/tree/build.ts";
import { defaultTargetIs, targetIs } from "../../model/device-questions.ts";
import { type ImageDevice, inImageFor } from "./image-traits.ts";
import type { Machine } from "./machine.ts";

/** Bits of ARC_TARGET_* in arcrt.h. */
const targets = { host: 1, cpu: 2, gpu: 4, fpga: 8, nvidia: 16, radeon: 32, opencl: 64 } as const;
type Target = keyof typeof targets;

/** Images for devices of a kind. Those for OpenCL that were compiled before the program runs are for any device. */
const images: { readonly [T in Exclude<Target, "host">]: readonly [ImageDevice, ...ImageDevice[]] } = {
  cpu: ["host", "opencl-cpu"],
  gpu: ["nvidia", "radeon", "opencl-gpu"],
  fpga: ["fpga", "opencl-accelerator"],
  nvidia: ["nvidia"],
  radeon: ["radeon"],
  opencl: ["opencl"],
};

interface Asked {
  readonly trait: string;
  readonly words: readonly string[];
}

/** `number`: of `device_num`. Undefined: arc has no name for it. */
export function targetHolds(
  { trait, words }: Asked,
  number: Expr | undefined,
  inRegion: boolean,
  machine: Machine | undefined,
): boolean | Expr | undefined {
  const parts = words.map((word) => {
    if (trait === "kind") return ofKind(word, number, inRegion);
    const target = trait === "arch" ? ofArchitecture(word, machine) : ofIsa(word, machine);
    return typeof target === "string" ? holds(target, number, inRegion) : target;
  });
  if (parts.includes(false)) return false;
  if (parts.includes(undefined) || parts.length === 0) return undefined;
  return parts.reduce<boolean | Expr>((all, one) => {
    if (typeof one !== "object") return all;
    return typeof all === "object" ? binary("&&", all, one) : one;
  }, true);
}

function ofKind(word: string, number: Expr | undefined, inRegion: boolean): boolean | Expr | undefined {
  if (word === "any") return true;
  if (word === "host" || word === "nohost") {
    if (inRegion) return word === "nohost";
    const isHost = asked("host", number);
    return word === "host" ? isHost : unary("!", isHost);
  }
  return word === "cpu" || word === "gpu" || word === "fpga" ? holds(word, number, inRegion) : undefined;
}

const holds = (target: Exclude<Target, "host">, number: Expr | undefined, inRegion: boolean): Expr =>
  inRegion ? inImageFor(...images[target]) : asked(target, number);

const asked = (target: Target, number: Expr | undefined): Expr =>
  number
    ? call(ident(targetIs), [number, intLit(targets[target])])
    : call(ident(defaultTargetIs), [intLit(targets[target])]);

const architectures: readonly (readonly [RegExp, Exclude<Target, "host">])[] = [
  [/^(nvptx|sm_)/, "nvidia"],
  [/^(amdgcn|amdgpu|gcn|gfx)/, "radeon"],
  [/^spir/, "opencl"],
];

/** The processors that programs run on are of the architecture that host code is compiled for. */
function ofArchitecture(
  name: string,
  machine: Machine | undefined,
): Exclude<Target, "host"> | false | undefined {
  const [, gpu] = architectures.find(([names]) => names.test(name)) ?? [];
  return gpu ?? (machine && (machine.architectures.includes(name) ? "cpu" : false));
}

function ofIsa(name: string, machine: Machine | undefined): "cpu" | false | undefined {
  if (/^(sm_?\d|ptx|gfx)/.test(name)) return undefined;
  return machine && (machine.hasIsa(name) ? "cpu" : false);
}
