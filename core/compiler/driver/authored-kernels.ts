/**
 * Kernels that the program's author wrote, apart from the host code: each file is compiled by itself and put into an image
 * whose name the host code knows, so that a change of a kernel changes no host code.
 */
import { createHash } from "node:crypto";
import type { Program, TaskFunction, TaskKernel } from "../../ir/model/program.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Others } from "./front-end.ts";

/** A file of kernels for one kind of device, or one kernel of the program's own file. */
export interface AuthoredKernels {
  /** By which the host code asks for it. */
  readonly image: string;
  readonly device: TaskKernel["device"];
  /** As the program calls it. */
  readonly file: string;
  /** What its first line is called in messages; absent: the text says so itself. */
  readonly place?: string;
  /** Byte for byte as it was written, with the headers that it includes by name. */
  readonly text: string;
  /** Kernels that tasks run. */
  readonly kernels: readonly string[];
  readonly site: { readonly file: string; readonly line: number };
}

type Linkage = Others["kind"];

/**
 * Files of a program have different names. Of units that are linked some other day this is not known: there the text is a part
 * of the image's name.
 */
function imageOf({ place, file, name, source }: TaskKernel, unit: string, linkage: Linkage): string {
  const own = `${unit} ${place === undefined ? name : file}`;
  if (linkage === "whole") return own;
  return `${own} ${createHash("sha256").update(source).digest("hex").slice(0, 16)}`;
}

/** The program with images in place of the texts of its kernels. */
export function withKernelsApart(program: Program, linkage: Linkage): Program {
  const { taskFunctions, unit } = program;
  if (!taskFunctions) return program;
  const apart = (task: TaskFunction): TaskFunction => {
    const { kernel } = task;
    if (!kernel) return task;
    return { ...task, kernel: { ...kernel, source: "", image: imageOf(kernel, unit.file, linkage) } };
  };
  const made = new Map([...taskFunctions].map(([sym, task]): [Symbol, TaskFunction] => [sym, apart(task)]));
  return { ...program, taskFunctions: made };
}

/** What those images are made of. */
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
