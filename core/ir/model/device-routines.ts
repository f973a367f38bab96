/** OpenMP runtime routines in regions: those that a device supports, and why the others are refused. */

import { INT, makeSymbol } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

/**
 * OpenMP 5.2, chapter 18: queries by threads and teams, which take no arguments and return an int or an enumeration, and
 * requests that have no effect on devices.
 */
const deviceRoutines = [
  "omp_get_team_num",
  "omp_get_num_teams",
  "omp_get_thread_num",
  "omp_get_num_threads",
  "omp_get_max_threads",
  "omp_get_thread_limit",
  "omp_get_level",
  "omp_get_active_level",
  "omp_in_parallel",
  "omp_get_device_num",
  "omp_is_initial_device",
  "omp_get_num_procs",
  "omp_get_dynamic",
  "omp_get_nested",
  "omp_get_cancellation",
  "omp_get_max_active_levels",
  "omp_get_supported_active_levels",
  "omp_get_max_task_priority",
  "omp_in_final",
  "omp_get_proc_bind",
  "omp_get_num_places",
  "omp_get_place_num",
  "omp_set_dynamic",
  "omp_set_nested",
  "omp_set_schedule",
] as const;
/** Results that are constant on every device: one level of threads, without places. */
const same: Readonly<Partial<Record<DeviceRoutine, number>>> = {
  omp_get_dynamic: 0,
  omp_get_nested: 0,
  omp_get_cancellation: 0,
  omp_get_max_active_levels: 1,
  omp_get_supported_active_levels: 1,
  omp_get_max_task_priority: 0,
  omp_in_final: 0,
  omp_get_proc_bind: 0,
  omp_get_num_places: 0,
  omp_get_place_num: -1,
  // Sections 18.2.6, 18.2.9 and 18.2.11: without support they have no effect; any schedule is right for `runtime`.
  omp_set_dynamic: 0,
  omp_set_nested: 0,
  omp_set_schedule: 0,
};
export const sameAnswer = (routine: DeviceRoutine): number | undefined => same[routine];

export type DeviceRoutine = (typeof deviceRoutines)[number];

/** The routine's symbol, for code that readers generate. */
const routine = (name: DeviceRoutine): Symbol =>
  makeSymbol(name, "function", { kind: "function", ret: INT, params: [], variadic: false }, "file");
export const threadNumber = routine("omp_get_thread_num");
export const threadCount = routine("omp_get_num_threads");
export const teamNumber = routine("omp_get_team_num");
export const teamCount = routine("omp_get_num_teams");

/** The program may define a function of the same name. */
export const isDeviceRoutine = (sym: Symbol): sym is Symbol & { readonly name: DeviceRoutine } =>
  !sym.definition && (deviceRoutines as readonly string[]).includes(sym.name);

/** The routine that a call expression calls. */
export function routineCalled(e: Expr): DeviceRoutine | undefined {
  const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
  return callee?.kind === "ident" && isDeviceRoutine(callee.sym) ? callee.sym.name : undefined;
}

/** Functions of C's library that regions cannot call. */
const ofLibrary: Readonly<Record<string, { readonly why: string; readonly remedy: string }>> = {
  realloc: {
    why: "devices do not know how large the memory was",
    remedy: "allocate the new size with malloc, copy what is needed with memcpy, and free the old memory",
  },
  ...Object.fromEntries(
    ["rand", "random", "drand48", "srand", "srandom", "srand48"].map((name) => [
      name,
      {
        why: "its state is the host's, one for all threads",
        remedy: "give each iteration a generator of its own, whose state begins with the iteration's number",
      },
    ]),
  ),
  ...Object.fromEntries(
    ["fprintf", "puts", "putchar", "fputs"].map((name) => [
      name,
      {
        why: "devices have no files",
        remedy: "use printf, or store the values and print them behind the region",
      },
    ]),
  ),
};

/** Why a region cannot call another routine of OpenMP or function of C's library, and what to do instead. */
export function refusedRoutine({
  name,
}: Symbol): { readonly why: string; readonly remedy: string } | undefined {
  if (!name.startsWith("omp_")) return Object.hasOwn(ofLibrary, name) ? ofLibrary[name] : undefined;
  if (/lock/.test(name))
    return {
      why: "a thread that waits for a lock may keep the one that holds it from running",
      remedy: "use `#pragma omp atomic`, or a reduction",
    };
  if (name === "omp_set_num_threads")
    return {
      why: "arc decides before the region starts how many threads its teams have (OpenMP 5.2, section 18.2.1)",
      remedy: "say num_threads on the 'parallel' construct",
    };
  return {
    why: "arc has no form of this routine for devices",
    remedy: "call it in front of the region, and use its value there",
  };
}
