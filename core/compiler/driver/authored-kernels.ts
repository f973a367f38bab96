/**
 * Separates authored kernels from the host code: each file is compiled by itself and put into an image whose name the
 * host code contains, so that a change of a kernel does not change host code.
 */
import { createHash } from "node:crypto";
import type { Program, TaskFunction, TaskKernel } from "../../ir/model/program.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Others } from "./front-end.ts";

/** A file of kernels for one kind of device, or one kernel in the program's own source. */
export interface AuthoredKernels {
  /** Name by which the host code requests it. */
  readonly image: string;
  readonly device: TaskKernel["device"];
  /** Name as in the program. */
  readonly file: string;
  /** Position of its first line for messages; absent: the text contains line markers. */
  readonly place?: string;
  /** The text byte for byte, with the headers that it includes by name. */
  readonly text: string;
  /** Kernels that tasks run. */
  readonly kernels: readonly string[];
  readonly site: { readonly file: string; readonly line: number };
}

type Linkage = Others["kind"];

/**
 * Files of one program have different names. Units that are linked later cannot rely on that: there the image's name
 * includes a digest of the text.
 */
function imageOf({ place, file, name, source }: TaskKernel, unit: string, linkage: Linkage): string {
  const own = `${unit} ${place === undefined ? name : file}`;
  if (linkage === "whole") return own;
  return `${own} ${createHash("sha256").update(source).digest("hex").slice(0, 16)}`;
}

/** The program with image names in place of its kernels' texts. */
export function withKernelsApart(program: Program, linkage: Linkage): Program {
  const { taskFunctions, unit } = program;
  if (!taskFunctions) return program;
  const apart = (task: TaskFunction): TaskFunction => {
    const { kernel } = task;
    if (!kernel) return task;
    return { ...task, kernel: { ...kernel, source: "", image: imageOf(kernel, unit.file, linkage) } };
  };
  const separated = new Map(
    [...taskFunctions].map(([sym, task]): [Symbol, TaskFunction] => [sym, apart(task)]),
  );
  return { ...program, taskFunctions: separated };
}

/** The sources of those images. */
export function authoredKernels(
  { taskFunctions, unit }: Program,
  linkage: Linkage,
): readonly AuthoredKernels[] {
  const files = new Map<string, AuthoredKernels>();
  for (const { kernel, site } of taskFunctions?.values() ?? []) {
    if (!kernel) continue;
    const { device, file, place, source: text, name } = kernel;
    const image = imageOf(kernel, unit.file, linkage);
    const known = files.get(`${device} ${image}`);
    files.set(`${device} ${image}`, {
      image,
      device,
      file,
      ...(place !== undefined && { place }),
      text,
      kernels: [...new Set([...(known?.kernels ?? []), name])],
      site: known?.site ?? { file: site.loc.file, line: site.loc.line },
    });
  }
  return [...files.values()];
}
