/** The text syntax of the IR's nodes: for each kind its keywords, its clauses, and the statement it precedes. */

import type { Idiom } from "../model/idioms.ts";
import { type IrNode, shuffleWays } from "../model/ir.ts";
import { deviceObjects, deviceSections } from "./address-clauses.ts";
import {
  type Clause,
  choice,
  choices,
  expr,
  exprOr,
  exprs,
  flag,
  host,
  number,
  required,
  symbol,
  symbols,
  word,
} from "./clause.ts";
import { lane, taps, written } from "./idiom-clauses.ts";
import { items } from "./item-clauses.ts";
import { deviceType, hostTask, wait, waitElsewhere } from "./launch-clauses.ts";
import { apart, format, operator, operators, reductions, steps, tile, window } from "./loop-clauses.ts";
import { label, taskAccesses, taskDevice, taskFunction, taskKernel, taskVersion } from "./task-clauses.ts";

/**
 * The statement that follows a node's line.
 *
 * - nothing: the empty statement
 * - body: the node's body
 * - region: the same; where data items bring variables of their own, a block that declares these first
 * - nest: the loops of its headers, `nest(n)` of them, around the body
 * - access: the atomic statement in C
 * - assignment: the node's assignment
 * - partial: a block of the declaration of `partial` and the body
 * - declaration: the declaration of `into`
 */
type Follows = "nothing" | "body" | "region" | "nest" | "access" | "assignment" | "partial" | "declaration";

interface Words {
  readonly path: string;
  readonly values: readonly string[];
  readonly host?: true;
}

export interface NodeForm {
  readonly words: readonly Words[];
  readonly clauses: readonly Clause[];
  readonly follows: Follows;
  /** Properties that are lists even if no clause is present. */
  readonly lists?: readonly string[];
}

const levels = ["gang", "worker", "vector"];
const condition = host(expr("if", "condition"));
const device = host(expr("device", "device"));
const queueing = [device, host(exprOr("async", "async", "default")), wait, waitElsewhere, condition];
const self = host(exprOr("self", "self", "always"));
const privates = symbols("private", "privates");
const taskTraits = [taskAccesses, condition, expr("final", "final"), expr("priority", "priority"), label];

export const forms: Readonly<Record<(IrNode | Idiom)["kind"], NodeForm>> = {
  task: {
    words: [
      { path: "flavour", values: ["offload"] },
      { path: "construct", values: ["parallel", "kernels", "serial"], host: true },
    ],
    clauses: [
      host(word("region", "region")),
      ...queueing,
      host(hostTask),
      host(flag("after-tasks", "afterTasks")),
      host(flag("host-alone", "hostAlone")),
      self,
      host(choice("default", "defaultData", ["none", "present"])),
      items,
    ],
    follows: "region",
    lists: ["items"],
  },
  spmd: {
    words: [],
    clauses: [
      flag("serial", "serial"),
      expr("teams", "numTeams"),
      expr("units", "numUnits"),
      expr("lanes", "numLanes"),
      privates,
      symbols("firstprivate", "firstprivates"),
      reductions,
      number("simd", "hints.simd"),
      number("compute_units", "hints.computeUnits"),
      operators,
      flag("exact", "hints.exact"),
      flag("flush", "hints.flush"),
      format,
      steps,
    ],
    follows: "body",
    lists: ["privates", "firstprivates", "reductions"],
  },
  loop: {
    words: [{ path: "parallel.independence", values: ["independent", "auto", "seq"] }],
    clauses: [
      number("nest", "nest"),
      choices("levels", "parallel.levels", levels),
      flag("free", "parallel.free"),
      expr("gangs", "parallel.gangs"),
      flag("dimension", "parallel.dimension"),
      expr("workers", "parallel.workers"),
      expr("lanes", "parallel.lanes"),
      tile,
      privates,
      reductions,
      number("unroll", "hints.unroll"),
      flag("scan", "hints.scan"),
      window,
      apart,
    ],
    follows: "nest",
    lists: ["parallel.levels", "privates", "reductions"],
  },
  threads: { words: [], clauses: [expr("size", "size")], follows: "body" },
  data: {
    words: [],
    clauses: [flag("kernels", "kernels"), ...queueing, self, items],
    follows: "region",
    lists: ["items"],
  },
  "data-move": {
    words: [{ path: "what", values: ["enter", "exit", "update"] }],
    clauses: [...queueing, host(hostTask), host(flag("after-tasks", "afterTasks")), items],
    follows: "nothing",
    lists: ["items"],
  },
  declare: { words: [], clauses: [items], follows: "nothing", lists: ["items"] },
  "host-data": {
    words: [],
    clauses: [
      symbols("use", "variables"),
      deviceSections,
      deviceObjects,
      device,
      condition,
      flag("if-present", "ifPresent"),
    ],
    follows: "region",
    lists: ["variables"],
  },
  sync: {
    words: [{ path: "name", values: ["wait", "barrier", "flush"] }],
    clauses: [exprs("queues", "queues"), host(exprOr("async", "async", "default")), device, condition],
    follows: "nothing",
    lists: ["queues"],
  },
  "device-control": {
    words: [{ path: "what", values: ["init", "shutdown", "set"] }],
    clauses: [deviceType, expr("num", "deviceNum"), expr("default-async", "defaultAsync"), condition],
    follows: "nothing",
  },
  atomic: {
    words: [{ path: "what", values: ["read", "write", "update", "capture"] }],
    clauses: [flag("reduction", "reduction")],
    follows: "access",
  },
  shuffle: {
    words: [{ path: "way", values: shuffleWays }],
    clauses: [required(expr("mask", "mask")), required(expr("lane", "lane"))],
    follows: "assignment",
  },
  cache: { words: [], clauses: [items], follows: "nothing", lists: ["items"] },
  "explicit-task": {
    words: [],
    clauses: [
      ...taskTraits,
      privates,
      symbols("firstprivate", "firstprivates"),
      symbols("shared", "shareds"),
      reductions,
    ],
    follows: "body",
    lists: ["accesses", "privates", "firstprivates", "shareds", "reductions"],
  },
  "task-wait": {
    words: [],
    clauses: [taskAccesses, flag("noflush", "noflush")],
    follows: "nothing",
    lists: ["accesses"],
  },
  "task-group": { words: [], clauses: [flag("made", "made"), flag("nogroup", "nogroup")], follows: "body" },
  critical: { words: [], clauses: [], follows: "body" },
  delayline: {
    words: [],
    clauses: [
      required(expr("line", "line")),
      required(number("length", "length")),
      required(number("shift", "shift")),
      taps,
      written,
      lane,
      expr("guard", "guard"),
      required(expr("value", "value")),
    ],
    follows: "nothing",
  },
  accumulator: {
    words: [],
    clauses: [
      required(operator),
      required(expr("register", "register")),
      required(number("lanes", "lanes")),
      required(number("depth", "depth")),
      required(expr("init", "init")),
      required(expr("drain", "drain")),
    ],
    follows: "body",
  },
  accumulate: {
    words: [],
    clauses: [required(expr("register", "register")), required(number("depth", "depth"))],
    follows: "partial",
  },
  "channel-write": {
    words: [],
    clauses: [required(word("channel", "channel")), required(expr("value", "value"))],
    follows: "nothing",
  },
  "channel-read": { words: [], clauses: [required(word("channel", "channel"))], follows: "declaration" },
};

/** `#pragma upir routine LEVEL function(f) [bind(g)]`, after all functions. */
export const routineForm: NodeForm = {
  words: [{ path: "level", values: [...levels, "seq"] }],
  clauses: [required(symbol("function", "sym", "function")), word("bind", "bind")],
  follows: "nothing",
};

/** `#pragma upir task-function function(f) ...`, after all functions. */
export const taskFunctionForm: NodeForm = {
  words: [],
  clauses: [
    taskFunction,
    ...taskTraits,
    taskVersion,
    taskDevice,
    taskKernel,
    exprs("global", "kernel.global"),
    exprs("local", "kernel.local"),
    exprs("group-memory", "kernel.shared"),
    expr("onto", "kernel.onto"),
  ],
  follows: "nothing",
  lists: ["accesses"],
};
