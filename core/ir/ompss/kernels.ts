/** Tasks whose body is a kernel written by the user: `target device(opencl|cuda|hip) ndrange(...) file(...)`. */
import { canonical, evaluateInteger } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { rootOf } from "../analysis/access.ts";
import type { Reading } from "../directives/read-state.ts";
import type { TaskAccess } from "../model/ir.ts";
import type { TaskKernel } from "../model/program.ts";
import { type KernelFile, ownKernelName } from "./kernel-files.ts";
import { clausesOf, type TaskDirective } from "./parse.ts";

/** A kernel's clauses: those of `target`, or of `task` if written there. */
interface KernelClauses {
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
  readonly accesses: readonly TaskAccess[];
  readonly files: ReadonlyMap<string, KernelFile>;
}

/** Kinds of device for which users can write kernels. */
export const isKernelDevice = (kind: string | undefined): kind is TaskKernel["device"] =>
  kind === "opencl" || kind === "cuda" || kind === "hip";

/** The kernel, or undefined after an error. */
export function kernelOf(reading: Reading, d: TaskDirective, clauses: KernelClauses): TaskKernel | undefined {
  const one = (name: string) => clausesOf(d, name)[0];
  const onto = one("onto");
  if (onto && onto.exprs.length !== 1) {
    reading.report(
      "onto",
      onto.loc,
      "'onto' is the number of a device, and has one argument here: arc has no processes of MPI",
      "write onto(n), with n from 0",
    );
    return undefined;
  }
  const sizes = sizesOf(reading, d);
  const device = one("device")?.words[0];
  if (!sizes || !isKernelDevice(device)) return undefined;
  const shared = one("shmem")?.exprs ?? [];
  if (!passesMemory(reading, d, clauses, shared, device)) return undefined;
  const source = sourceOf(reading, d, clauses, device);
  if (!source) return undefined;
  return {
    device,
    name: one("name")?.words[0] ?? clauses.sym.name,
    file: one("file")?.words[0] ?? d.loc.file.replace(/^.*\//, ""),
    ...(source.path && { place: source.path }),
    source: source.text,
    ...sizes,
    shared,
    ...(onto?.exprs[0] && { onto: onto.exprs[0] }),
  };
}

/** The numbers of work-items, and of those in a group. */
function sizesOf(reading: Reading, d: TaskDirective): Pick<TaskKernel, "global" | "local"> | undefined {
  const [ndrange] = clausesOf(d, "ndrange");
  if (!ndrange) {
    reading.report(
      "kernel-without-ndrange",
      d.loc,
      "nothing says how many work-items the kernel has",
      "write ndrange(1, n, 64) on 'target'",
    );
    return undefined;
  }
  const [count, ...sizes] = ndrange.exprs;
  const dims = Number(count && evaluateInteger(count));
  if (!(dims >= 1 && dims <= 3)) {
    reading.report(
      "ndrange-dimensions",
      ndrange.loc,
      "the first argument of 'ndrange' is the number of dimensions: 1, 2 or 3, and a constant",
      "write ndrange(1, n, 64)",
    );
    return undefined;
  }
  if (sizes.length !== dims && sizes.length !== 2 * dims) {
    reading.report(
      "ndrange-sizes",
      ndrange.loc,
      `'ndrange' of ${dims} dimension${dims > 1 ? "s" : ""} has ${sizes.length} sizes behind their number`,
      `write ${dims} sizes of work-items, or ${2 * dims}: of work-items and of groups`,
    );
    return undefined;
  }
  return { global: sizes.slice(0, dims), local: sizes.slice(dims) };
}

/** Whether the kernel gets one piece of memory for each of its pointers. */
function passesMemory(
  reading: Reading,
  d: TaskDirective,
  { params, accesses }: KernelClauses,
  shared: readonly Expr[],
  device: TaskKernel["device"],
): boolean {
  const copied = accesses.filter((a) => a.only !== "order");
  const sectionsOf = (p: Symbol): number => copied.filter((a) => rootOf(a.object)?.sym === p).length;
  const unnamed = params.filter((p) => isPointer(p) && sectionsOf(p) === 0);
  const [wrong] = device === "opencl" ? wrongLocals(unnamed, shared) : wrongShared(unnamed, shared, device);
  if (wrong) {
    reading.report("shmem-sizes", clausesOf(d, "shmem")[0]?.loc ?? d.loc, wrong.message, wrong.remedy);
    return false;
  }
  const twice = params.find((p) => sectionsOf(p) > 1);
  if (twice)
    reading.report(
      "several-sections",
      d.loc,
      `several clauses name memory behind '${twice.name}', and a kernel gets one piece of memory for it`,
      "name all that the kernel uses in one section that begins where the pointer leads",
    );
  return twice === undefined;
}

/** The kernel's text: a file's, or a definition in the program's own. */
function sourceOf(
  reading: Reading,
  d: TaskDirective,
  { sym, files }: KernelClauses,
  device: TaskKernel["device"],
): KernelFile | undefined {
  const [file] = clausesOf(d, "file");
  const own = files.get(ownKernelName(sym.name));
  if (file && own !== undefined) {
    reading.report(
      "kernel-twice",
      file.loc,
      `'${sym.name}' is defined here, and 'file' says that '${file.words[0]}' has it`,
      "keep one of them",
    );
    return undefined;
  }
  const source = file ? files.get(file.words[0] ?? "") : own;
  if (source === undefined && file)
    reading.report(
      "kernel-file",
      file.loc,
      `'${file.words[0]}' is not there`,
      "put it beside the source, or into a folder that -I names",
    );
  else if (source === undefined)
    reading.report(
      "kernel-without-file",
      d.loc,
      `nothing says which file has the kernel '${sym.name}'`,
      `write file(kernels.${device === "opencl" ? "cl" : "cu"}) on 'target', or define it here as ${device === "opencl" ? "__kernel" : "__global__"}`,
    );
  return source;
}

interface Wrong {
  readonly message: string;
  readonly remedy: string;
}

/** OpenCL: group memory is passed as kernel parameters, each with a size. */
function wrongLocals(unnamed: readonly Symbol[], sizes: readonly Expr[]): readonly Wrong[] {
  if (unnamed.length === sizes.length) return [];
  const verb = unnamed.length > 1 ? "are" : "is";
  const names = unnamed.length === 0 ? "no parameter" : unnamed.map((p) => `'${p.name}'`).join(", ");
  return [
    {
      message: `${names} ${verb} memory of a group, and 'shmem' has ${sizes.length} sizes`,
      remedy: "write a size in bytes for each pointer that in, out and inout do not name, in their order",
    },
  ];
}

/** CUDA and HIP: a launch has one block of group memory, which is not a parameter. */
function wrongShared(unnamed: readonly Symbol[], sizes: readonly Expr[], device: string): readonly Wrong[] {
  const [pointer] = unnamed;
  if (pointer)
    return [
      {
        message: `no clause names the memory behind '${pointer.name}', and kernels of '${device}' get memory of a group by 'extern __shared__'`,
        remedy: `name it in in, out or inout, or remove the parameter`,
      },
    ];
  if (sizes.length <= 1) return [];
  return [
    {
      message: `'shmem' has ${sizes.length} sizes, and a kernel of '${device}' has one piece of shared memory`,
      remedy: "write the sum of them, and divide the memory in the kernel",
    },
  ];
}

const isPointer = (p: Symbol): boolean => canonical(p.type).kind === "pointer";
