/**
 * The OpenACC grammar as data: which directives exist, which clauses each takes, what a clause's
 * argument looks like (OpenACC 3.3, chapters 2.5 to 2.16; the spellings of OpenACC-e where noted).
 */
import type { Extent } from "../directives/directive.ts";

/** The form of a clause's argument. */
export type Argument =
  | "none"
  | "expr" // (e)
  | "expr?" // optional
  | "exprs" // list
  | "exprs?" // optional list
  | "vars" // (list of variables or sections), with modifiers
  | "names" // (identifiers)
  | "reduction" // (op: list)
  | "gang" // optional: [num:] e, static: e|*, dim: e
  | "unit" // worker, vector: optional [num:|length:] e
  | "default" // (none|present)
  | "device-types" // (list of device types or *)
  | "collapse" // ([force:] n)
  | "tile" // (list of e or *)
  | "bind"; // (name or "string")

interface ClauseRule {
  readonly argument: Argument;
  /** Modifiers allowed before the list: `copyin(readonly: a)`. */
  readonly modifiers?: readonly string[];
  /** May appear more than once. */
  readonly repeats?: true;
  /** Most arguments that a list takes. */
  readonly most?: number;
}

const data = (...modifiers: string[]): ClauseRule => ({ argument: "vars", repeats: true, modifiers });

export const clauses: Readonly<Record<string, ClauseRule>> = {
  async: { argument: "expr?" },
  attach: data(),
  auto: { argument: "none" },
  bind: { argument: "bind" },
  capture: { argument: "none" },
  collapse: { argument: "collapse" },
  copy: data("always", "alwaysin", "alwaysout", "capture"),
  copyin: data("readonly", "always", "alwaysin", "capture"),
  copyout: data("zero", "always", "alwaysout", "capture"),
  create: data("zero", "capture"),
  default: { argument: "default" },
  default_async: { argument: "expr" },
  delete: data(),
  detach: data(),
  device: data(),
  device_num: { argument: "expr" },
  device_resident: data(),
  device_type: { argument: "device-types", repeats: true },
  deviceptr: data(),
  finalize: { argument: "none" },
  firstprivate: data(),
  gang: { argument: "gang" },
  if: { argument: "expr" },
  if_present: { argument: "none" },
  independent: { argument: "none" },
  link: data(),
  no_create: data(),
  nohost: { argument: "none" },
  num_gangs: { argument: "exprs", most: 3 },
  num_workers: { argument: "expr" },
  /** OpenARC: a temporary array between two regions, each element written once and read once in order. */
  pipe: data(),
  pipein: data(),
  pipeout: data(),
  present: data(),
  private: data(),
  read: { argument: "none" },
  reduction: { argument: "reduction", repeats: true },
  self: { argument: "expr?" },
  seq: { argument: "none" },
  tile: { argument: "tile" },
  update: { argument: "none" },
  use_device: data(),
  vector: { argument: "unit" },
  vector_length: { argument: "expr" },
  wait: { argument: "exprs?", repeats: true },
  worker: { argument: "unit" },
  write: { argument: "none" },
};

/** Older and shorter spellings. */
export const clauseAliases: Readonly<Record<string, string>> = {
  present_or_copy: "copy",
  pcopy: "copy",
  present_or_copyin: "copyin",
  pcopyin: "copyin",
  present_or_copyout: "copyout",
  pcopyout: "copyout",
  present_or_create: "create",
  pcreate: "create",
  dtype: "device_type",
  /** As papers spell it. */
  serial: "seq",
};

interface DirectiveRule {
  readonly extent: Extent;
  readonly clauses: readonly string[];
  /** A list directly after the name: `wait(1)`, `cache(a)`, `routine(f)`. Lists of variables must be there. */
  readonly argument?: Argument;
}

const dataMoving = ["copy", "copyin", "copyout", "create", "no_create", "present", "deviceptr", "attach"];
const queue = ["async", "wait", "device_type"];
const compute = ["if", "self", "default", ...queue, ...dataMoving, "pipein", "pipeout"];
const sizes = ["num_gangs", "num_workers", "vector_length"];
const parallel = [...compute, ...sizes, "private", "firstprivate", "reduction"];
const kernels = [...compute, ...sizes];
const serial = [...compute, "private", "firstprivate", "reduction"];
const loop = [
  "collapse",
  "gang",
  "worker",
  "vector",
  "seq",
  "independent",
  "auto",
  "tile",
  "device_type",
  "private",
  "reduction",
];
const combined = (construct: readonly string[]) => [...new Set([...construct, ...loop])];

export const directives: Readonly<Record<string, DirectiveRule>> = {
  parallel: { extent: "block", clauses: parallel },
  kernels: { extent: "block", clauses: kernels },
  serial: { extent: "block", clauses: serial },
  "parallel loop": { extent: "loop", clauses: combined(parallel) },
  "kernels loop": { extent: "loop", clauses: combined(kernels) },
  "serial loop": { extent: "loop", clauses: combined(serial) },
  loop: { extent: "loop", clauses: loop },
  data: { extent: "block", clauses: ["if", "default", ...queue, ...dataMoving, "pipe"] },
  "enter data": { extent: "standalone", clauses: ["if", "async", "wait", "copyin", "create", "attach"] },
  "exit data": {
    extent: "standalone",
    clauses: ["if", "async", "wait", "copyout", "delete", "detach", "finalize"],
  },
  update: {
    extent: "standalone",
    clauses: ["async", "wait", "device_type", "if", "if_present", "self", "device"],
  },
  declare: {
    extent: "declarative",
    clauses: ["copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link"],
  },
  host_data: { extent: "block", clauses: ["use_device", "if", "if_present"] },
  atomic: { extent: "atomic", clauses: ["read", "write", "update", "capture", "if"] },
  routine: {
    extent: "declarative",
    clauses: ["gang", "worker", "vector", "seq", "bind", "device_type", "nohost"],
    argument: "names",
  },
  cache: { extent: "standalone", clauses: [], argument: "vars" },
  wait: { extent: "standalone", clauses: ["async", "if"], argument: "exprs?" },
  init: { extent: "standalone", clauses: ["device_type", "device_num", "if"] },
  shutdown: { extent: "standalone", clauses: ["device_type", "device_num", "if"] },
  set: { extent: "standalone", clauses: ["default_async", "device_num", "device_type", "if"] },
  /** OpenACC-e: a barrier of the units of a gang. */
  barrier: { extent: "standalone", clauses: [] },
};

/** Clause names whose meaning depends on the directive: `self` lists variables on `update`. */
export function argumentOf(directive: string, clause: string): Argument {
  if (directive === "update" && clause === "self") return "vars";
  return clauses[clause]?.argument ?? "none";
}

export const updateAliases: Readonly<Record<string, string>> = { host: "self" };
