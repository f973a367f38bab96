/**
 * Host code: runtime calls in place of directives. Each construct yields text around its statement; whether that text
 * is inserted in the user's file or the whole unit is printed is decided elsewhere.
 */

import { mapTuple } from "../../../core/checked/tuples.ts";
import { exportedVariables } from "../../../core/ir/analysis/routines.ts";
import { deviceTypes } from "../../../core/ir/model/device-types.ts";
import type {
  Async,
  DataItem,
  DataMove,
  DataRegion,
  Declare,
  DeviceControl,
  HostData,
  IrNode,
  Site,
  Sync,
  Task,
  TaskGroup,
  TaskWait,
  WaitList,
} from "../../../core/ir/model/ir.ts";
import { isOpenMp } from "../../../core/ir/model/ir.ts";
import { hasNode, nodesIn } from "../../../core/ir/model/nodes.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { type Argument, argumentsOf, spmdOf } from "../../../core/ir/model/region.ts";
import { decay, isDataPointer, printDecl, printExpr, substituteExpr } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { launchArrays } from "../loops/launch-extents.ts";
import { mostTrips } from "../loops/most-trips.ts";
import { launchTrips } from "../loops/trips.ts";
import { forEach, isCounted } from "./counted-items.ts";
import type { HostNames } from "./host-names.ts";
import { inHostTask } from "./host-task.ts";
import { itemText, wrap } from "./item-text.ts";
import { type PresentParts, presentParts } from "./present-parts.ts";
import { type LaunchText, plainLaunch } from "./reference-run.ts";
import { hostSection } from "./section.ts";
import type { OutlinedProgram, TaskCreation } from "./task-outline.ts";
import { creationText, rowsOf, taskPrelude } from "./task-text.ts";

/** Text that replaces a directive's pragma, and text after its statement. */
interface Around {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The statement is replaced too: `before` contains everything. */
  readonly replaces: boolean;
}

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
          ...text.tasksBefore(n),
          ...inHostTask(n, names, (task) => text.guarded(task, text.task(task), original)),
        ],
        after: [],
        replaces: true,
      };
    case "data":
      return n.kernels ? split(n, text, original) : text.data(n);
    case "data-move":
      return {
        before: [
          ...text.tasksBefore(n),
          ...inHostTask(n, names, (move) => text.whereOn(move, text.move(move))),
        ],
        after: [],
        replaces: true,
      };
    case "declare":
      return { before: text.scoped(n), after: [], replaces: true };
    case "host-data":
      return text.hostData(n);
    case "sync":
      return { before: n.name === "wait" ? when(n.condition, text.sync(n)) : [], after: [], replaces: true };
    case "device-control":
      return { before: when(n.condition, text.control(n)), after: [], replaces: true };
    case "task-creation":
      return { before: creationText(n, names, diagnostics), after: [], replaces: true };
    case "task-wait":
      return { before: text.taskWait(n), after: [], replaces: true };
    case "task-group":
      return text.taskGroup(n);
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

const indent = (lines: readonly string[]) => lines.map((l) => (l.startsWith("#") || l === "" ? l : `  ${l}`));

function when(condition: Expr | string | undefined, lines: readonly string[]): readonly string[] {
  if (condition === undefined) return lines;
  const text = typeof condition === "string" ? condition : printExpr(condition);
  return [`if (${text}) {`, ...indent(lines), "}"];
}

/** The parts of a split kernels construct all run on the same side. */
function split(n: DataRegion, text: HostText, original: () => string): Around {
  const { condition: _, ...unconditional } = n;
  const { before, after, replaces } = text.data(unconditional);
  const test = text.onDevice(n);
  if (test === undefined) return { before, after, replaces };
  return {
    before: [`if (${test})`, ...before],
    after: [...after, "else {", ...original().split("\n"), "}"],
    replaces,
  };
}

/** A node that may have a device number. */
interface Placed {
  readonly device?: Expr;
  readonly condition?: Expr;
}

class HostText {
  private readonly names: HostNames;
  private readonly diagnostics: Diagnostic[];
  private readonly launch: LaunchText;
  readonly here: string;
  readonly itemList: string;

  /** The device clause's number. */
  private readonly device: string;

  constructor(names: HostNames, diagnostics: Diagnostic[], launch: LaunchText = plainLaunch) {
    this.names = names;
    this.diagnostics = diagnostics;
    this.launch = launch;
    this.here = names("here");
    this.itemList = names("items");
    this.device = names("device");
  }

  /** The condition under which a construct runs on the device, if its clauses give one. */
  onDevice(n: Placed & { readonly self?: Task["self"] }): string | undefined {
    const self = n.self === undefined ? undefined : n.self === "always" ? "0" : `!(${printExpr(n.self)})`;
    const conditions = [
      n.condition ? `(${printExpr(n.condition)})` : undefined,
      self,
      n.device ? `arc_on_device(${this.device})` : undefined,
    ].filter((c) => c !== undefined);
    return conditions.length ? conditions.join(" && ") : undefined;
  }

  /** The variable that `onDevice` and `there` use. */
  private number({ device }: Placed): string[] {
    return device ? [`const int ${this.device} = (${printExpr(device)});`] : [];
  }

  /** Calls that apply to the construct's device. */
  private there({ device }: Placed, calls: readonly string[]): string[] {
    return device ? [`arc_device_enter(${this.device});`, ...calls, "arc_device_leave();"] : [...calls];
  }

  /** A block with the construct's device number in a variable. */
  private numbered(n: Placed, lines: readonly string[]): readonly string[] {
    return n.device ? ["{", ...indent([...this.number(n), ...lines]), "}"] : lines;
  }

  guarded(n: Task, lines: readonly string[], original: () => string): readonly string[] {
    const test = this.onDevice(n);
    if (test === undefined) return lines;
    const written = original().split("\n");
    const alone = n.hostAlone ? ["#pragma omp parallel num_threads(1)", "{", ...written, "}"] : written;
    return this.numbered(n, [`if (${test})`, ...indent(lines), "else {", ...alone, "}"]);
  }

  whereOn(n: Placed, lines: readonly string[]): readonly string[] {
    const test = this.onDevice(n);
    if (test === undefined) return lines;
    return this.numbered(n, [`if (${test}) {`, ...indent(lines), "}"]);
  }

  site(site: Site): string[] {
    return [
      `static const arc_site ${this.here} = {${JSON.stringify(site.loc.file)}, ${site.loc.line}, ${JSON.stringify(site.what)}};`,
    ];
  }

  items(
    site: Site,
    items: readonly DataItem[],
    name = this.itemList,
    parts: PresentParts = new Map(),
  ): string[] {
    const row = (i: DataItem) => {
      const text = itemText(i, isOpenMp(site), parts);
      if (typeof text === "string") return text;
      this.diagnostics.push(text);
      return [];
    };
    if (!isCounted(items)) return [`const arc_item ${name}[] = {`, ...indent(items.flatMap(row)), "};"];
    return [
      `arc_list ${name} __attribute__((cleanup(arc_list_end))) = {0, 0, 0};`,
      ...items.flatMap((i) =>
        [row(i)]
          .flat()
          .map((text) => forEach(i.each ?? [], `arc_list_add(&${name}, (arc_item)${text.slice(0, -1)});`)),
      ),
    ];
  }

  /** The number of the items, and their list, as arguments. */
  private passed(items: readonly DataItem[], name = this.itemList): string {
    return isCounted(items) ? `${name}.n, ${name}.items` : `${items.length}, ${name}`;
  }

  private async(a: Async | undefined): string {
    return a === undefined ? "ARC_SYNC" : a === "default" ? "ARC_NOVAL" : `(int)(${printExpr(a)})`;
  }

  private wait(list: WaitList | undefined, async: string): string[] {
    if (!list) return [];
    const { queues, elsewhere = [] } = list;
    // Queues of two devices cannot wait for each other, so the host waits.
    const others = elsewhere.flatMap(({ device, queues: theirs }) => [
      `arc_device_enter((int)(${printExpr(device)}));`,
      this.waitFor(theirs, "ARC_SYNC"),
      "arc_device_leave();",
    ]);
    return queues.length === 0 && others.length > 0 ? others : [...others, this.waitFor(queues, async)];
  }

  private waitFor(queues: readonly Expr[], async: string): string {
    if (queues.length === 0) return `arc_wait(&${this.here}, ${async}, 0, 0);`;
    return `arc_wait(&${this.here}, ${async}, ${queues.length}, (const int[]){${queues.map((q) => printExpr(q)).join(", ")}});`;
  }

  task(n: Task): string[] {
    const spmd = spmdOf(n);
    const mapped = n.items.filter((i) => moves(i));
    const args = argumentsOf(n);
    const parts = presentParts(n);
    // On the host, a variable that exists only in the region is represented by the object that it stands for.
    const objects = new Map(n.items.flatMap((i) => (i.own ? [[i.sym, i.object] as const] : [])));
    const own = { ...spmd, body: isolate(spmd.body) };
    const known = launchTrips(own);
    const trips = [
      ...known.values(),
      ...mostTrips(own, known).values(),
      ...launchArrays(n).known.map((array) => array.elements),
    ].map((t) => substituteExpr(t, objects));
    const async = this.async(n.async);
    const [argList, tripList, config] = mapTuple(["args", "trips", "config"], this.names);
    // One wait at the end covers the whole construct.
    const joined = mapped.length > 0 && n.async === undefined ? "ARC_JOINED" : async;
    const size = (e: Expr | undefined) => (e ? `(long)(${printExpr(e)})` : "0");
    return [
      "{",
      ...indent([
        ...this.site(n.site),
        ...(mapped.length ? this.items(n.site, mapped, this.itemList, parts) : []),
        ...(args.length
          ? [`const arc_arg ${argList}[] = {`, ...indent(args.map((a) => this.argument(a, parts))), "};"]
          : []),
        ...(trips.length
          ? [`const long ${tripList}[] = {${trips.map((t) => printExpr(t)).join(", ")}};`]
          : []),
        `const arc_launch_config ${config} = {${[joined, size(spmd.numTeams), size(spmd.numUnits), size(spmd.numLanes), trips.length, trips.length ? tripList : "0"].join(", ")}};`,
        ...this.there(n, [
          ...this.wait(n.wait, async),
          ...(mapped.length ? [`arc_data_begin(&${this.here}, ${joined}, ${this.passed(mapped)});`] : []),
          ...this.launch(
            n,
            `arc_launch(&${this.here}, "${n.region}", &${config}, ${args.length}, ${args.length ? argList : "0"});`,
            this.names,
            this.diagnostics,
          ),
          ...(mapped.length ? [`arc_data_end(&${this.here}, ${async}, ${this.passed(mapped)});`] : []),
        ]),
      ]),
      "}",
    ];
  }

  private argument(a: Argument, parts: PresentParts): string {
    const name = a.sym.name;
    const object = wrap(printExpr(a.item.object));
    if (a.how === "value") return `{"${name}", (void *)&${object}, 0, sizeof ${object}, ARC_ARG_VALUE},`;
    if (a.how === "extent") {
      const row = `${object}${"[0]".repeat(a.dim as number)}`;
      return `{"${name}", (void *)&(long){sizeof ${row} / sizeof ${row}[0]}, 0, sizeof(long), ARC_ARG_VALUE},`;
    }
    const host = a.how === "object" ? `(void *)&${object}` : `(void *)${object}`;
    const kind =
      a.item.mapping.is === "deviceptr"
        ? "ARC_ARG_DEVICEPTR"
        : a.item.mapping.is === "no-create"
          ? "ARC_ARG_MAYBE"
          : "ARC_ARG_BUFFER";
    const section = hostSection(a.item);
    if (a.item.mapping.is === "copied") {
      const [start, size] = "severity" in section ? ["0", `sizeof ${object}`] : [section.start, section.size];
      return `{"${name}", ${host}, ${start}, ${size}, ARC_ARG_COPY},`;
    }
    const part = a.how === "object" && a.item.mapping.vis === "implicit" ? parts.get(a.item.sym) : undefined;
    const start = "severity" in section ? "0" : section.start;
    return `{"${name}", ${host}, ${part?.start ?? start}, 0, ${kind}},`;
  }

  data(n: DataRegion): Around {
    const async = this.async(n.async);
    const count = n.items.length;
    const flag = this.names("on");
    const test = this.onDevice(n);
    const call = (routine: string) =>
      count
        ? when(
            test === undefined ? undefined : flag,
            this.there(n, [`${routine}(&${this.here}, ${async}, ${this.passed(n.items)});`]),
          )
        : [];
    return {
      before: [
        "{",
        ...indent([
          ...this.site(n.site),
          ...(count ? this.items(n.site, n.items) : []),
          ...this.number(n),
          ...(test === undefined ? [] : [`const int ${flag} = (${test}) != 0;`]),
          ...this.wait(n.wait, async),
          ...call("arc_data_begin"),
        ]),
      ],
      after: [...call("arc_data_end"), "}"],
      replaces: false,
    };
  }

  move(n: DataMove): string[] {
    const call = { enter: "arc_enter_data", exit: "arc_exit_data", update: "arc_update" }[n.what];
    const async = this.async(n.async);
    return [
      "{",
      ...indent([
        ...this.site(n.site),
        ...this.items(n.site, n.items),
        ...this.there(n, [
          ...this.wait(n.wait, async),
          `${call}(&${this.here}, ${async}, ${this.passed(n.items)});`,
        ]),
      ]),
      "}",
    ];
  }

  /** declare inside a function: mapped from here to the end of the block, however control leaves it. */
  scoped(n: Declare): string[] {
    const id = `${n.site.loc.line}_${n.site.loc.col}`;
    const here = `${this.here}_${id}`;
    const items = `${this.itemList}_${id}`;
    return [
      `static const arc_site ${here} = {${JSON.stringify(n.site.loc.file)}, ${n.site.loc.line}, "declare"};`,
      ...this.items(n.site, n.items, items),
      `__attribute__((cleanup(arc_declared_end))) const arc_declared ${this.names(`declared_${id}`)} = {&${here}, ${n.items.length}, ${items}};`,
      `arc_data_begin(&${here}, ARC_SYNC, ${n.items.length}, ${items});`,
    ];
  }

  hostData(n: HostData): Around {
    const device = (v: Symbol) => this.names(`device_${v.name}`);
    const flag = this.names("on");
    const test = this.onDevice(n);
    const use = n.variables.map((v) => {
      const first = n.sections?.find(({ variable }) => variable === v)?.first;
      const from = first ? `&${printExpr(first)}` : v.name;
      const found = `arc_use_device(&${this.here}, ${from}, "${v.name}", ${n.ifPresent ? 1 : 0})`;
      const call = first ? `(void *)((char *)${found} - ((char *)${from} - (char *)${v.name}))` : found;
      const value = test === undefined ? call : `${flag} ? ${call} : (void *)${v.name}`;
      return `${printDecl(decay(v.type), device(v))} = ${value};`;
    });
    const objects = (n.objects ?? []).map(({ object, pointer, leads }) => {
      const name = printExpr(object);
      const at = leads ? name : `&${name}`;
      const call = `arc_use_device(&${this.here}, ${at}, ${JSON.stringify(name)}, ${n.ifPresent ? 1 : 0})`;
      const value = test === undefined ? call : `${flag} ? ${call} : (void *)${at}`;
      return `${printDecl(pointer.type, pointer.name)} = ${value};`;
    });
    const shadow = n.variables.map((v) => `${printDecl(decay(v.type), v.name)} = ${device(v)};`);
    return {
      before: [
        "{",
        ...indent([
          ...this.site(n.site),
          ...this.number(n),
          ...(test === undefined ? [] : [`const int ${flag} = (${test}) != 0;`]),
          ...(n.device ? [`if (${flag}) arc_device_enter(${this.device});`] : []),
          ...use,
          ...objects,
          ...(n.device ? [`if (${flag}) arc_device_leave();`] : []),
          "{",
        ]),
        ...indent(indent(shadow)),
      ],
      after: ["  }", "}"],
      replaces: false,
    };
  }

  sync(n: Sync): string[] {
    return [
      "{",
      ...indent([
        ...this.site(n.site),
        ...this.number(n),
        // Queues of two devices cannot wait for each other, so the host waits.
        ...this.there(
          n,
          this.wait({ queues: n.queues, loc: n.site.loc }, this.async(n.device ? undefined : n.async)),
        ),
      ]),
      "}",
    ];
  }

  taskWait(n: TaskWait): string[] {
    const rows = rowsOf(n, this.diagnostics);
    const call = rows.length
      ? `arc_task_wait_on(&${this.here}, ${rows.length}, ${this.itemList});`
      : `arc_task_wait${n.noflush ? "_noflush" : ""}(&${this.here});`;
    const list = rows.length ? [`const arc_task_access ${this.itemList}[] = {`, ...indent(rows), "};"] : [];
    return ["{", ...indent([...this.site(n.site), ...list, call]), "}"];
  }

  /** The wait for tasks that a construct's `depend` orders before it: for all of them. */
  tasksBefore({ afterTasks, site }: Task | DataMove): string[] {
    return afterTasks ? ["{", ...indent([...this.site(site), `arc_task_wait(&${this.here});`]), "}"] : [];
  }

  taskGroup(n: TaskGroup): Around {
    if (n.nogroup) return { before: [], after: [], replaces: false };
    const group = this.names("group");
    return {
      before: [
        "{",
        ...indent([...this.site(n.site), `arc_task_group ${group};`, `arc_task_group_begin(&${group});`]),
      ],
      after: indent([`arc_task_group_end(&${this.here}, &${group});`]).concat("}"),
      replaces: false,
    };
  }

  control(n: DeviceControl): string[] {
    const type = typeNumbers.get(n.deviceType ?? "") ?? -1;
    const num = n.deviceNum ? `(int)(${printExpr(n.deviceNum)})` : "-1";
    const call =
      n.what === "set"
        ? `arc_set(&${this.here}, ${type}, ${num}, ${n.defaultAsync ? `(int)(${printExpr(n.defaultAsync)})` : "ARC_KEEP"});`
        : `arc_${n.what}(&${this.here}, ${type}, ${num});`;
    return ["{", ...indent([...this.site(n.site), call]), "}"];
  }
}

/** By what `device_type` names. */
const typeNumbers: ReadonlyMap<string, number> = new Map([
  ...Object.entries(deviceTypes),
  ["*", deviceTypes.default],
]);

/** Items that the runtime must handle at the region's entry and exit. */
function moves(i: DataItem): boolean {
  if (["none", "copied", "deviceptr"].includes(i.mapping.is)) return false;
  return !(i.mapping.vis === "implicit" && ["present", "no-create"].includes(i.mapping.is));
}
