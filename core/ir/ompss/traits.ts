/** Clauses of a task, on a statement or on a function. */
import type { Reading } from "../directives/read-state.ts";
import type { TaskAccess, TaskTraits } from "../model/ir.ts";
import { clausesOf, type TaskDirective } from "./parse.ts";

export function traitsOf(d: TaskDirective): TaskTraits {
  const one = (name: string) => clausesOf(d, name)[0];
  const [condition, final, priority] = ["if", "final", "priority"].map((name) => one(name)?.exprs[0]);
  const label = one("label")?.words[0];
  return {
    accesses: d.clauses.flatMap((c) => c.accesses),
    ...(condition && { condition }),
    ...(final && { final }),
    ...(priority && { priority }),
    ...(label !== undefined && { label }),
  };
}

/**
 * Accesses of a task with a `target`: memory in dependence clauses is also copied to the device, unless `target` itself
 * lists the copies.
 */
export function withCopies(
  accesses: readonly TaskAccess[],
  target: TaskDirective | undefined,
): readonly TaskAccess[] {
  if (!target) return accesses;
  const copies = clausesOf(target, "copy_in", "copy_out", "copy_inout").flatMap((c) => c.accesses);
  const isBoth =
    clausesOf(target, "copy_deps").length > 0 ||
    (copies.length === 0 && clausesOf(target, "no_copy_deps").length === 0);
  return [
    ...(isBoth ? accesses : accesses.map((a): TaskAccess => ({ ...a, only: "order" }))),
    ...copies.map((a): TaskAccess => ({ ...a, only: "copy" })),
  ];
}

/** `target` beside a task: kernel clauses are misplaced on a task of the host. */
export function checkTarget(reading: Reading, d: TaskDirective, onFunction = false): void {
  const [shmem] = clausesOf(d, "shmem");
  const [ndrange] = clausesOf(d, "ndrange");
  if (shmem && !ndrange)
    reading.report(
      "shmem-without-ndrange",
      shmem.loc,
      "'shmem' is memory of a group of work-items, and without 'ndrange' there are none",
      "write ndrange(1, n, 64) beside it",
    );
  const [both] = clausesOf(d, "copy_deps");
  const [none] = clausesOf(d, "no_copy_deps");
  if (both && none)
    reading.report(
      "contrary-clauses",
      none.loc,
      "'copy_deps' and 'no_copy_deps' say the opposite of each other",
      "keep one of them",
    );
  const [device] = clausesOf(d, "device");
  const kind = device?.words[0];
  if (!device || kind === "smp" || kind === undefined) {
    const [first] = clausesOf(d, "ndrange", "shmem", "file", "name", "onto");
    if (first && !(shmem && !ndrange))
      reading.report(
        "misplaced-clause",
        first.loc,
        `'${first.name}' is about kernels of devices, and this task runs on the host`,
        "remove it",
      );
    return;
  }
  if (onFunction) return;
  reading.report(
    "unsupported-device",
    device.loc,
    "a statement is no kernel: only functions have kernels",
    "write the directives on a function, and call that",
  );
}
