/**
 * Host code: runtime calls in place of directives. Each construct yields text around its statement; whether that text
 * is inserted in the user's file or the whole unit is printed is decided elsewhere.
 */

import { exportedVariables } from "../../../core/ir/analysis/routines.ts";
import { deviceTypes } from "../../../core/ir/model/device-types.ts";
import {
  type DataItem,
  type DataMove,
  type DataRegion,
  type DeviceControl,
  type IrNode,
  isOpenMp,
  type Sync,
  type Task,
  type TaskGroup,
  type TaskWait,
} from "../../../core/ir/model/ir.ts";
import { hasNode, nodesIn } from "../../../core/ir/model/nodes.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { isDataPointer, printExpr } from "../../../core/lang/index.ts";
import type { Diagnostic, Stmt } from "../../../core/lang/tree/ast.ts";
import { dataMove, dataRegion, hostData, scopedDeclare } from "./data-calls.ts";
import type { HostNames } from "./host-names.ts";
import { inHostTask } from "./host-task.ts";
import { type Around, HostText, indent, when } from "./host-text.ts";
import { launchCall } from "./launch-call.ts";
import { type LaunchText, plainLaunch } from "./reference-run.ts";
import type { OutlinedProgram, TaskCreation } from "./task-outline.ts";
import { creationText, rowsOf, taskPrelude } from "./task-text.ts";

/**
 * `original`: the construct's statement as plain C, for `if` and `self` clauses that select the host. `launch`: prints
 * a launch.
 */
export function hostText(
  n: HostNode,
  original: () => string,
  names: HostNames,
  diagnostics: Diagnostic[],
  launch: LaunchText = plainLaunch,
): Around {
  const text = new HostText(names, diagnostics, launch);
  switch (n.kind) {
    case "task":
      return {
        before: [
          ...tasksBefore(text, n),
          ...inHostTask(n, names, (task) => text.guarded(task, launchCall(text, task), original)),
        ],
        after: [],
        replaces: true,
      };
    case "data":
      return n.kernels ? split(n, text, original) : dataRegion(text, n);
    case "data-move":
      return {
        before: [
          ...tasksBefore(text, n),
          ...inHostTask(n, names, (move) => text.whereOn(move, dataMove(text, move))),
        ],
        after: [],
        replaces: true,
      };
    case "declare":
      return { before: scopedDeclare(text, n), after: [], replaces: true };
    case "host-data":
      return hostData(text, n);
    case "sync":
      return { before: n.name === "wait" ? when(n.condition, sync(text, n)) : [], after: [], replaces: true };
    case "device-control":
      return { before: when(n.condition, control(text, n)), after: [], replaces: true };
    case "task-creation":
      return { before: creationText(n, names, diagnostics), after: [], replaces: true };
    case "task-wait":
      return { before: taskWait(text, n), after: [], replaces: true };
    case "task-group":
      return taskGroup(text, n);
    case "critical":
      return {
        before: ["{", "  arc_task_combine_begin();"],
        after: ["  arc_task_combine_end();", "}"],
        replaces: false,
      };
    default:
      // Loops, atomics and cache directives outside compute constructs: the statement runs as plain C.
      return { before: [], after: [], replaces: false };
  }
}

/** Extension nodes that host code may contain. */
export type HostNode = IrNode | TaskCreation;

/** Definitions that the emitted file needs before the user's text. */
const hostPrelude: readonly string[] = ["#include <arcrt.h>"];

/** The definitions for a program that may have tasks. */
export const preludeOf = ({ program, before }: OutlinedProgram): readonly string[] =>
  before.size > 0 || program.unit.externals.some((e) => e.kind === "function" && hasTaskCode(e.body))
    ? [...hostPrelude, ...taskPrelude]
    : hostPrelude;

/** Variables with the addresses of functions, in front of the user's text and behind it. */
export function addressesIn({ pointed }: Program): Record<"before" | "behind", readonly string[]> {
  const all = [...(pointed?.addresses ?? [])];
  return {
    before: all.map(([, held]) => `static unsigned long ${held.name} __attribute__((unused));`),
    behind: all.map(([{ name }, held]) => `static unsigned long ${held.name} = (unsigned long)${name};`),
  };
}

const hasTaskCode = (body: Stmt): boolean =>
  ["task-wait", "task-group", "critical"].some((kind) => hasNode(body, kind as IrNode["kind"])) ||
  [...nodesIn(body, "task"), ...nodesIn(body, "data-move")].some((n) => n.afterTasks);

/** Code that runs before main: declare directives at file scope, and variables needed by routines in other files. */
export function constructorText(
  program: Program,
  names: HostNames,
  diagnostics: Diagnostic[],
): readonly string[] {
  const text = new HostText(names, diagnostics);
  const own = program.declares
    .map((d) => ({ ...d, items: d.items.filter((i) => i.sym.storage !== "extern" && !isBarePointer(i)) }))
    .map((d) => (isOpenMp(d.site) ? { ...d, items: beginningAsZeros(d.items, program) } : d))
    .filter((d) => d.items.length > 0);
  const exported = [...exportedVariables(program)];
  const required = program.sharedRequired;
  if (own.length === 0 && exported.length === 0 && !required) return [];
  return [
    // Before the program's own constructors, which may change variables.
    `__attribute__((constructor(101))) static void ${names("declare_variables")}(void) {`,
    ...exported.map(
      ([{ name }, key]) =>
        `  arc_register_global(${JSON.stringify(key)}, "${name}", (void *)&${name}, sizeof ${name});`,
    ),
    ...(required
      ? indent(["{", ...indent([...text.site(required), `arc_require_shared(&${text.here});`]), "}"])
      : []),
    ...own.flatMap((d) =>
      indent([
        "{",
        ...indent([
          ...text.site(d.site),
          ...text.items(d.site, d.items),
          `arc_declare(&${text.here}, ${d.items.length}, ${text.itemList});`,
        ]),
        "}",
      ]),
    ),
    "}",
  ];
}

/** Variables without an initializer need no copy of it, which may be large. */
function beginningAsZeros(items: readonly DataItem[], { unit }: Program): DataItem[] {
  const initialized = new Set(
    unit.externals.flatMap((e) =>
      e.kind === "decl" ? e.decls.filter((d) => d.init).map((d) => d.sym.name) : [],
    ),
  );
  return items.map((i) =>
    initialized.has(i.sym.name) ? i : { ...i, mapping: { ...i.mapping, zero: true } },
  );
}

/**
 * A pointer's target is looked up by the pointer's value, which is passed to regions, so the pointer itself needs no
 * copy.
 */
const isBarePointer = ({ object, section }: DataItem): boolean =>
  section.length === 0 && isDataPointer(object.type);

/** The parts of a split kernels construct all run on the same side. */
function split(n: DataRegion, text: HostText, original: () => string): Around {
  const { condition: _, ...unconditional } = n;
  const { before, after, replaces } = dataRegion(text, unconditional);
  const test = text.onDevice(n);
  if (test === undefined) return { before, after, replaces };
  return {
    before: [`if (${test})`, ...before],
    after: [...after, "else {", ...original().split("\n"), "}"],
    replaces,
  };
}

function sync(t: HostText, n: Sync): string[] {
  return [
    "{",
    ...indent([
      ...t.site(n.site),
      ...t.number(n),
      // Queues of two devices cannot wait for each other, so the host waits.
      ...t.there(n, t.wait({ queues: n.queues, loc: n.site.loc }, t.async(n.device ? undefined : n.async))),
    ]),
    "}",
  ];
}

function taskWait(t: HostText, n: TaskWait): string[] {
  const rows = rowsOf(n, t.diagnostics);
  const call = rows.length
    ? `arc_task_wait_on(&${t.here}, ${rows.length}, ${t.itemList});`
    : `arc_task_wait${n.noflush ? "_noflush" : ""}(&${t.here});`;
  const list = rows.length
    ? [`__extension__ const arc_task_access ${t.itemList}[] = {`, ...indent(rows), "};"]
    : [];
  return ["{", ...indent([...t.site(n.site), ...list, call]), "}"];
}

/** The wait for tasks that a construct's `depend` orders before it: for all of them. */
function tasksBefore(t: HostText, { afterTasks, site }: Task | DataMove): string[] {
  return afterTasks ? ["{", ...indent([...t.site(site), `arc_task_wait(&${t.here});`]), "}"] : [];
}

function taskGroup(t: HostText, n: TaskGroup): Around {
  if (n.nogroup) return { before: [], after: [], replaces: false };
  const group = t.names("group");
  return {
    before: [
      "{",
      ...indent([...t.site(n.site), `arc_task_group ${group};`, `arc_task_group_begin(&${group});`]),
    ],
    after: indent([`arc_task_group_end(&${t.here}, &${group});`]).concat("}"),
    replaces: false,
  };
}

function control(t: HostText, n: DeviceControl): string[] {
  const type = typeNumbers.get(n.deviceType ?? "") ?? -1;
  const num = n.deviceNum ? `(int)(${printExpr(n.deviceNum)})` : "-1";
  const call =
    n.what === "set"
      ? `arc_set(&${t.here}, ${type}, ${num}, ${n.defaultAsync ? `(int)(${printExpr(n.defaultAsync)})` : "ARC_KEEP"});`
      : `arc_${n.what}(&${t.here}, ${type}, ${num});`;
  return ["{", ...indent([...t.site(n.site), call]), "}"];
}

/** By what `device_type` names. */
const typeNumbers: ReadonlyMap<string, number> = new Map([
  ...Object.entries(deviceTypes),
  ["*", deviceTypes.default],
]);
