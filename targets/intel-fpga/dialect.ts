/** OpenCL C as Intel's FPGA compiler takes it. */
import { asIdiom } from "../../core/ir/idioms.ts";
import type { Apart } from "../../core/ir/ir.ts";
import { canonical } from "../../core/lang/index.ts";
import type { Kernel, KernelParam, LoweredRegion } from "../shared/device.ts";
import type { Dialect, KernelPrinter } from "../shared/kerneltext.ts";
import { opencl } from "../shared/opencl.ts";
import type { Spaces } from "../shared/openclspaces.ts";
import { apartOf } from "../shared/pragmas.ts";

export function intelFpga(region: LoweredRegion): { dialect: Dialect; spaces: Spaces } {
  const { dialect: base, spaces } = opencl(region);
  const dialect: Dialect = {
    ...base,
    statement(s, print) {
      const write = asIdiom(s, "channel-write");
      if (write) return [`write_channel_intel(${write.channel}, ${print.expr(write.value)});`];
      const read = asIdiom(s, "channel-read");
      if (!read) return undefined;
      const { into, channel } = read;
      return [`${print.decl(into.type, print.name(into), into)} = read_channel_intel(${channel});`];
    },
    pragma: (p, print) => apartOf(p).map((a) => ivdep(a, print)),
    kernel(kernel, print) {
      const unshared = restricted(kernel);
      return [
        ...attributes(kernel),
        `__kernel void ${kernel.name}(${kernel.params.map((p) => parameter(p, print, unshared.has(p))).join(", ")}) {`,
        ...kernel.params.flatMap((p) => pointer(p, print, unshared.has(p))),
        ...kernel.shared.map((s) => `  __local ${print.decl(s.type, print.name(s))};`),
        ...print.places(kernel),
        ...print.body(kernel.body),
        "}",
      ];
    },
  };
  return { dialect, spaces };
}

/**
 * "Removing Loop-Carried Dependencies Caused by Accesses to Memory Arrays" (Best Practices Guide, 683521, 6.1.5): the
 * iteration that may depend on this one is `safelen` away, if there is any.
 */
function ivdep({ array, distance }: Apart, print: KernelPrinter): string {
  const far = distance === undefined ? "" : ` safelen(${distance})`;
  return `#pragma ivdep array(${print.name(array)})${far}`;
}

function attributes(kernel: Kernel): string[] {
  if (isSingle(kernel)) return ["__attribute__((max_global_work_dim(0)))"];
  const [x, y] = kernel.group;
  const { simd = 1, computeUnits = 1 } = kernel.replication ?? {};
  return [
    `__attribute__((reqd_work_group_size(${x}, ${y}, 1)))`,
    ...(simd > 1 ? [`__attribute__((num_simd_work_items(${simd})))`] : []),
    ...(computeUnits > 1 ? [`__attribute__((num_compute_units(${computeUnits})))`] : []),
  ];
}

/** One work-item in all. */
function isSingle(kernel: Kernel): boolean {
  return kernel.group.every((n) => n === 1) && kernel.grid.every((g) => g === "1");
}

/**
 * Buffers that no other parameter leads to: restrict is written where this is known and nowhere else.
 * Variables of the program are objects of their own; restrict pointers share nothing that is written;
 * what no one writes may be shared freely.
 */
function restricted(kernel: Kernel): ReadonlySet<KernelParam> {
  const buffers = kernel.params.filter((p) => p.pointer);
  const known = (p: KernelParam): boolean => {
    if (!("argument" in p.source)) return true;
    const { item, how } = p.source.argument;
    return (
      how === "object" || canonical(item.sym.type).kind === "array" || item.sym.type.quals?.restrict === true
    );
  };
  const written = (p: KernelParam): boolean =>
    !("argument" in p.source) || p.source.argument.item.access !== "read-only";
  const apart = (p: KernelParam, q: KernelParam): boolean =>
    p === q || (known(p) && known(q)) || (!written(p) && !written(q));
  return new Set(buffers.filter((p) => buffers.every((q) => apart(p, q))));
}

function parameter(p: KernelParam, print: KernelPrinter, unshared: boolean): string {
  const name = print.name(p.sym);
  if (p.pointer)
    return `__global char *${unshared ? "restrict " : ""}${name}_memory, const long ${name}_offset`;
  const type = canonical(p.sym.type);
  return type.kind === "int" && type.name === "bool"
    ? `const uchar ${name}`
    : print.decl(p.sym.type, name, p.sym);
}

function pointer(p: KernelParam, print: KernelPrinter, unshared: boolean): string[] {
  if (!p.pointer) return [];
  const name = print.name(p.sym);
  const declared = print.decl(p.sym.type, unshared ? `restrict ${name}` : name, p.sym);
  return [`  ${declared} = (${print.decl(p.sym.type, "")})(${name}_memory + ${name}_offset);`];
}
