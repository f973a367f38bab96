/**
 * What NVIDIA's OpenCL compiler takes beside OpenCL C: PTX, NVIDIA's assembly language. OpenCL C 1.2 has no shuffles
 * and no atomic sums of floating-point numbers. The text holds both forms, and other compilers see the portable one.
 */
import type { ShuffleWay } from "../../core/ir/model/ir.ts";
import { canonical, sizeOf } from "../../core/lang/index.ts";
import type { CType } from "../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../shared/device/device.ts";
import { signOf } from "../shared/kind/launch.ts";
import { type AtomicHelper, newValue, operandsOf, takesConverted } from "../shared/print/atomics.ts";
import type { Dialect, KernelPrinter } from "../shared/print/kernel-text.ts";
import { BARRIER } from "../shared/print/opencl.ts";
import { groupShuffle, isShuffled, teamShuffle } from "../shared/print/team-reduce.ts";
import { scanByShuffles } from "../shared/print/team-scan.ts";

/** Defined by NVIDIA's compiler alone. */
const IS_NVIDIA = "__NV_CL_C_VERSION";

/** On all its devices this is a fence of the device, while OpenCL C 1.2 has only those of a group. */
const OF_DEVICE = `__asm__ volatile("membar.gl;" ::: "memory");`;
const FENCE = "arc_fence";

export const withPtx = (base: Dialect): Dialect => ({
  ...base,
  head: (text) => [...base.head(text), ...fence(text, base), ...shuffles(text)],
  fence: `${FENCE}();`,
  groupReduce(n, print) {
    const portable = base.groupReduce(n, print);
    if (n.items % 32 !== 0 || !isShuffled(n.target.type)) return portable;
    return either(groupShuffle(n, print, BARRIER, shuffled(n.target.type)), portable);
  },
  teamReduce(n, print) {
    const portable = base.teamReduce?.(n, print) ?? [];
    if (!n.beside || n.items % 32 !== 0 || !isShuffled(n.target.type)) return portable;
    const across = shuffled(n.target.type);
    const own = teamShuffle(n, print, BARRIER, (value, mask) => across("xor", value, mask));
    return either(own, portable);
  },
  teamScan(n, print) {
    const portable = base.teamScan?.(n, print) ?? [];
    if (n.items % 32 !== 0 || !isShuffled(n.total.type)) return portable;
    return either(scanByShuffles(n, print, BARRIER, shuffled(n.total.type)), portable);
  },
  deviceFence: OF_DEVICE,
  lastGroup: (lines) => [`#ifdef ${IS_NVIDIA}`, ...lines, "#endif"],
  atomic(h, print) {
    const portable = base.atomic(h, print);
    const own = floatSum(h, print);
    return own ? either(own, portable) : portable;
  },
});

/** A kernel by which the launch learns that the code has what the last group does. */
export const sign = ({ region, zeroed }: LoweredRegion): string[] =>
  zeroed === undefined
    ? []
    : [`#ifdef ${IS_NVIDIA}`, `__kernel void ${signOf(region)}(void) {}`, "#endif", ""];

const either = (own: readonly string[], portable: readonly string[]): string[] => [
  `#ifdef ${IS_NVIDIA}`,
  ...own,
  "#else",
  ...portable,
  "#endif",
];

/** `double` has the instruction only on devices of compute capability 6.0 and later. */
function floatSum(h: AtomicHelper, print: KernelPrinter): string[] | undefined {
  const memory = h.space === "__local" ? "shared" : h.space === "__global" ? "global" : undefined;
  const type = canonical(h.type);
  const isSum = (h.op === "+" || h.op === "-") && takesConverted(h);
  if (!memory || !isSum || type.kind !== "float" || sizeOf(type) !== 4) return undefined;
  return [
    `static float ${h.name}(volatile ${h.space} float *target, ${operandsOf(h, (of) => print.type(of))}) {`,
    `  const float addend = ${h.op === "-" ? "-" : ""}(float)value;`,
    "  float old;",
    `  __asm__ volatile("atom.${memory}.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(target), "f"(addend) : "memory");`,
    `  return ${h.fresh ? newValue(h, "float") : "old"};`,
    "}",
  ];
}

const WAYS: Readonly<Record<ShuffleWay, { readonly word: string; readonly clamp: number }>> = {
  xor: { word: "bfly", clamp: 31 },
  up: { word: "up", clamp: 0 },
  down: { word: "down", clamp: 31 },
  sync: { word: "idx", clamp: 31 },
};

/** The name that is in `as_uint`. */
function oneWord(type: CType): string {
  const c = canonical(type);
  return c.kind === "int" || c.kind === "float" ? c.name.replace("llong", "long") : "int";
}

const shuffled =
  (type: CType) =>
  (way: ShuffleWay, value: string, lane: string): string => {
    const words = sizeOf(type) === 8 ? "uint2" : "uint";
    const own = oneWord(type);
    return `as_${own}(arc_shuffle_${way}_${words}(as_${words}(${value}), ${lane}))`;
  };

/** For `flush` and locks: what a thread of another group wrote must be seen behind it. */
function fence(text: string, base: Dialect): string[] {
  if (!text.includes(`${FENCE}(`)) return [];
  const lines = either([`  ${OF_DEVICE}`], [`  ${base.fence}`]);
  return [`static void ${FENCE}(void) {`, ...lines, "}"];
}

/** The functions that `text` calls. All lanes of a warp execute them. */
function shuffles(text: string): string[] {
  const ways = (Object.keys(WAYS) as ShuffleWay[]).filter((way) => text.includes(`arc_shuffle_${way}_`));
  const code = ways.flatMap((way) => {
    const { word, clamp } = WAYS[way];
    const one = `arc_shuffle_${way}_uint`;
    return [
      `static uint ${one}(uint value, int lane) {`,
      "  uint other;",
      `  __asm__ volatile("shfl.sync.${word}.b32 %0, %1, %2, ${clamp}, 0xffffffff;" : "=r"(other) : "r"(value), "r"(lane));`,
      "  return other;",
      "}",
      `static uint2 ${one}2(uint2 value, int lane) {`,
      `  return (uint2)(${one}(value.x, lane), ${one}(value.y, lane));`,
      "}",
    ];
  });
  return code.length > 0 ? [`#ifdef ${IS_NVIDIA}`, ...code, "#endif"] : [];
}
