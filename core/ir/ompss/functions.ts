/** Functions whose calls are tasks: `#pragma omp task` and `target` before a declaration or a definition. */
import { canonical } from "../../lang/index.ts";
import type { External, Pragma, Symbol } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import { statementsIn } from "../../lang/tree/children.ts";
import { parametersOf } from "../analysis/parameters.ts";
import type { Reading } from "../directives/read-state.ts";
import type { TaskAccess } from "../model/ir.ts";
import type { TaskFunction } from "../model/program.ts";
import type { KernelFile } from "./kernel-files.ts";
import { isKernelDevice, kernelOf } from "./kernels.ts";
import { clausesOf, parseTaskDirective, type TaskDirective } from "./parse.ts";
import { checkTarget, traitsOf, withCopies } from "./traits.ts";
import { accessesFor, implemented, refuseOthers } from "./versions.ts";

/** Clauses of `target` that OmpSs-2 writes on `task`. */
const kernelClauses = ["device", "ndrange", "shmem", "file", "name"];

/** Pragmas before the same function, and the function. */
export interface FunctionTask {
  readonly task: Pragma;
  readonly target?: Pragma;
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
}

const wordsOf = ({ tokens }: Pragma): readonly string[] => tokens.slice(0, 2).map((t) => t.text);

export const isTask = (pragma: Pragma): boolean => {
  const [space, name] = wordsOf(pragma);
  return (space === "omp" || space === "oss") && name === "task";
};

/** OmpSs's `target`, which names a kind of device, unlike OpenMP's. */
export const isTarget = (pragma: Pragma): boolean => {
  const [space, name] = wordsOf(pragma);
  if ((space !== "omp" && space !== "oss") || name !== "target") return false;
  const text = pragma.tokens
    .slice(2)
    .map((t) => t.text)
    .join(" ");
  return /\bdevice \( (smp|cuda|opencl|hip|fpga) \)|\b(no_)?copy_deps\b/.test(text);
};

const isVersion = ({ tokens }: Pragma): boolean => tokens.some((t) => t.text === "implements");

/** Tasks on functions of a unit, by each of their pragmas. */
export function functionTasks(externals: readonly External[]): ReadonlyMap<Pragma, FunctionTask> {
  const found = new Map<Pragma, FunctionTask>();
  let before: Pragma[] = [];
  for (const external of externals) {
    if (external.kind === "pragma") {
      before.push(external);
      continue;
    }
    const pragmas = [...before, ...(external.kind === "function" ? (external.pragmas ?? []) : [])];
    before = [];
    const target = pragmas.find(isTarget);
    // An alternative version of a task is a task as well.
    const task = pragmas.find(isTask) ?? (target && isVersion(target) ? target : undefined);
    const sym = task && functionOf(external);
    if (!task || !sym) continue;
    const params = external.kind === "function" ? external.params : parametersOf(sym);
    const result = { task, ...(target && target !== task && { target }), sym, params };
    found.set(task, result);
    if (target) found.set(target, result);
  }
  return found;
}

function functionOf(external: External): Symbol | undefined {
  if (external.kind === "function") return external.sym;
  if (external.kind !== "decl") return undefined;
  return external.decls.map((d) => d.sym).find((sym) => canonical(sym.type).kind === "function");
}

/** The task that a function's directives describe; undefined after an error. */
export function readFunctionTask(
  reading: Reading,
  found: FunctionTask,
  files: ReadonlyMap<string, KernelFile>,
  before: ReadonlyMap<Symbol, TaskFunction>,
): TaskFunction | undefined {
  const { task, target, sym, params } = found;
  const read = (pragma: Pragma): TaskDirective | undefined => {
    const { directive, diagnostics } = parseTaskDirective(pragma, params);
    reading.diagnostics.push(...diagnostics);
    return directive;
  };
  const d = read(task);
  const t = target && read(target);
  if (!d || (target && !t)) return undefined;
  // OmpSs-2 has a single directive for both.
  const onTarget: TaskDirective = {
    ...(t ?? d),
    clauses: [...(t?.clauses ?? []), ...clausesOf(d, ...kernelClauses, "implements")],
  };
  const [version] = clausesOf(onTarget, "implements");
  const of = version && implemented(reading, version, sym, before);
  if (version && !of) return undefined;
  checkTarget(reading, onTarget, true);
  checkCallable(reading, d, sym);
  const traits = traitsOf(d.name === "target" ? { ...d, clauses: [] } : d);
  const own = traits.accesses.map((a) => ofParameter(reading, a));
  const [copy] = clausesOf(onTarget, "copy_in", "copy_out", "copy_inout", "no_copy_deps");
  if (of && copy)
    reading.report(
      "version-differs",
      copy.loc,
      `'${copy.name}' is what the task '${of.sym.name}' says, for all its versions`,
      `write it beside '${of.sym.name}'`,
    );
  if (of) refuseOthers(reading, of, own, params);
  const copied = (list: readonly TaskAccess[]) =>
    withCopies(list, t ?? (d.name === "target" ? d : undefined)).map((a) =>
      a.only === "copy" ? ofParameter(reading, a) : a,
    );
  const accesses = of ? accessesFor(of, params) : copied(own);
  const device = clausesOf(onTarget, "device")[0]?.words[0];
  const regions =
    device === "fpga"
      ? onFpga(reading, onTarget, sym)
      : isKernelDevice(device) && bodyOnDevice(onTarget, sym);
  const kernel =
    isKernelDevice(device) && !regions
      ? kernelOf(reading, onTarget, { sym, params, accesses, files })
      : undefined;
  return {
    sym,
    params,
    site: { loc: d.loc, what: "task", pragma: d.pragma },
    ...traits,
    accesses,
    ...(kernel && { kernel }),
    ...(regions && isRegionDevice(device) && { device }),
    ...(of && { implements: of.sym }),
  };
}

/** Reports why calls of a function cannot be tasks with these clauses. */
function checkCallable(reading: Reading, d: TaskDirective, sym: Symbol): void {
  const type = canonical(sym.type);
  if (type.kind === "function" && canonical(type.ret).kind !== "void")
    reading.report(
      "task-with-result",
      d.loc,
      `'${sym.name}' returns a value, which is not there yet when a call has made a task`,
      "return nothing, and write the result through a pointer that a clause names",
    );
  if (type.kind === "function" && (type.variadic || type.unprototyped))
    reading.report(
      "task-without-parameters",
      d.loc,
      `'${sym.name}' takes arguments that its declaration does not list: they cannot be kept for the task`,
      "declare each parameter",
    );
  const [clause] = clausesOf(d, "private", "firstprivate", "shared", "default", "reduction", "in_reduction");
  if (clause)
    reading.report(
      "misplaced-clause",
      clause.loc,
      `clause '${clause.name}' cannot be used on a function: its arguments are captured by value`,
      clause.name.endsWith("reduction")
        ? "name the memory in concurrent(...), and update it by atomic"
        : "remove it",
    );
}

const isRegionDevice = (device: string | undefined): device is NonNullable<TaskFunction["device"]> =>
  device === "fpga" || isKernelDevice(device);

/** arc generates the kernel for an FPGA. */
function onFpga(reading: Reading, d: TaskDirective, sym: Symbol): boolean {
  const [own] = clausesOf(d, "ndrange", "shmem", "file", "name", "onto");
  const [device] = clausesOf(d, "device");
  const isMade = !own && bodyOnDevice(d, sym);
  if (!isMade)
    reading.report(
      "unsupported-device",
      own?.loc ?? device?.loc ?? d.loc,
      own
        ? `'${own.name}' is about kernels of your own, and for FPGAs there are none`
        : `nothing in '${sym.name}' is for an FPGA`,
      "define the function here, with an OpenACC or OpenMP directive in its body that offloads the work",
    );
  return isMade;
}

/** Whether arc generates the kernels: the function is defined here, and directives in its body offload work. */
function bodyOnDevice(d: TaskDirective, sym: Symbol): boolean {
  if (clausesOf(d, "ndrange", "shmem", "file", "name").length > 0 || !sym.definition) return false;
  return [...statementsIn(sym.definition.body)].some(
    (s) => (s.kind === "ext" && s.ext.kind === "task") || (s.pragmas ?? []).some(offloads),
  );
}

const offloads = ({ tokens }: Pragma): boolean =>
  /^(acc (parallel|kernels|serial)|omp target)( |$)/.test(
    tokens
      .slice(0, 2)
      .map((t) => t.text)
      .join(" "),
  );

/** Parameters declared as arrays stand for the arrays; other parameters are copies, which no other task can access. */
function ofParameter(reading: Reading, access: TaskAccess): TaskAccess {
  const { object, section } = access;
  if (object.kind !== "ident" || object.sym.kind !== "param" || section.length > 0) return access;
  const size = object.sym.asArray?.size;
  if (size !== undefined && size !== "*")
    return {
      ...access,
      section: [{ start: intLit(0), length: typeof size === "number" ? intLit(size) : size }],
    };
  const isPointer = canonical(object.type).kind === "pointer";
  reading.report(
    "parameter-by-value",
    access.loc,
    `'${object.sym.name}' is a copy that each call has for itself: no other task can use it`,
    isPointer ? `write *${object.sym.name}, or [n]${object.sym.name} for n elements` : "remove it",
  );
  return access;
}
