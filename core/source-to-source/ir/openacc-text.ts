/**
 * Prints the IR as C with OpenACC directives: explicit properties of nodes become clauses; those that rules imply are
 * left out.
 */

import { usesOf } from "../../ir/analysis/access.ts";
import { combines } from "../../ir/analysis/elements.ts";
import type {
  Async,
  Atomic,
  DataItem,
  IrNode,
  Loop,
  Mapping,
  Reduction,
  SectionDim,
  Spmd,
  Task,
  Visibility,
  WaitList,
} from "../../ir/model/ir.ts";
import { asNode } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { namesOf } from "../../ir/text/names.ts";
import { atomicStatement, forLoop } from "../../ir/text/print.ts";
import { type PrintOptions, print, printExpr, substitute, walkStmt } from "../../lang/index.ts";
import type { Expr, External, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { CannotSay } from "../sites/rewrite.ts";

const clauseOf: Readonly<Partial<Record<Mapping, string>>> = {
  to: "copyin",
  from: "copyout",
  tofrom: "copy",
  allocate: "create",
  present: "present",
  "no-create": "no_create",
  deviceptr: "deviceptr",
  attach: "attach",
  detach: "detach",
  delete: "delete",
  "device-resident": "device_resident",
  link: "link",
  "update-self": "self",
  "update-device": "device",
  copied: "copyin",
};

/**
 * How much of the IR the clauses say. `implied`: what OpenACC's rules imply is left out. `data`: every variable has its
 * clause. `construct`: regions of `kernels` are `parallel` as well, since their loops are distributed already.
 */
export const manners = ["implied", "data", "construct"] as const;
export type Manner = (typeof manners)[number];

/** Throws `CannotSay` for properties that OpenACC cannot express. */
export function openAccText(program: Program, manner: Manner = "implied"): string {
  const names = new Map<Symbol, string>();
  for (const e of program.unit.externals)
    if (e.kind === "function") for (const [sym, name] of namesOf(e, program.unit.scope)) names.set(sym, name);
  const writer = new Writer((sym) => names.get(sym), manner);
  const printed = new Set<Symbol>();
  const lines: string[] = [];
  for (const e of program.unit.externals) {
    for (const sym of symbolsOf(e)) {
      const routine = program.routines.get(sym);
      if (!routine || printed.has(sym)) continue;
      printed.add(sym);
      lines.push(
        `#pragma acc routine ${routine.level}${routine.bind === undefined ? "" : ` bind(${routine.bind})`}`,
      );
    }
    lines.push(print({ ...program.unit, externals: [e] }, writer.options).replace(/\n+$/, ""));
    const declared = symbolsOf(e);
    for (const d of program.declares) {
      const items = d.items.filter(({ sym }) => declared.includes(sym));
      if (items.length > 0) lines.push(`#pragma acc declare${writer.data(items)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function symbolsOf(e: External): readonly Symbol[] {
  if (e.kind === "function") return [e.sym];
  return e.kind === "decl" ? e.decls.map(({ sym }) => sym) : [];
}

class Writer {
  readonly options: PrintOptions;
  private readonly name: (sym: Symbol) => string | undefined;
  private readonly manner: Manner;
  /** Of the region that is printed. */
  private items: readonly DataItem[] = [];
  /** Arrays of which a clause around says that they are reduced. */
  private readonly reduced = new Set<Symbol>();

  constructor(name: (sym: Symbol) => string | undefined, manner: Manner) {
    this.name = name;
    this.manner = manner;
    this.options = {
      name,
      stmt: (s, printStmt) => (s.kind === "ext" ? this.node(s.ext as IrNode, s, printStmt) : undefined),
    };
  }

  private expr = (e: Expr): string => printExpr(e, this.options).replace(/\s*\n\s*/g, " ");
  private spelled = (sym: Symbol): string => this.name(sym) ?? sym.name;

  private node(n: IrNode, s: Stmt, printStmt: (s: Stmt) => string[]): string[] {
    const at = s.span.start;
    const line = (words: string): string => `#pragma acc ${words}`;
    switch (n.kind) {
      case "task":
        return this.task(n, at, printStmt);
      case "loop":
        return this.reducing(n.parallel.independence === "seq" ? [] : outerSteps(n.body), (reductions) => [
          line(`loop${this.loop(n, at)}${reductions}`),
          ...printStmt(n.headers.reduceRight((inner, h) => forLoop(h, inner), n.body)),
        ]);
      case "data": {
        this.noDevice(n.device, at);
        if (n.kernels && (n.condition || n.self))
          refuse(
            at,
            "a condition for all regions that a 'kernels' construct was split into",
            "translate the file it was made of",
          );
        return [
          line(`data${this.when(n)}${this.data(n.items)}`),
          ...printStmt(this.ownedBack(n.items, n.body)),
        ];
      }
      case "data-move": {
        this.noDevice(n.device, at);
        if (n.hostTask !== undefined)
          refuse(at, "a movement of data that is a task of the host", "use async and wait");
        const what = n.what === "update" ? "update" : `${n.what} data`;
        const finalize = n.items.some((i) => i.mapping.finalize) ? " finalize" : "";
        const present = n.items.some((i) => i.mapping.ifPresent) ? " if_present" : "";
        return [line(`${what}${this.when(n)}${present}${finalize}${this.data(n.items)}`)];
      }
      case "declare":
        return [line(`declare${this.data(n.items)}`)];
      case "host-data": {
        this.noDevice(n.device, at);
        const use = ` use_device(${n.variables.map(this.spelled).join(", ")})`;
        const condition = n.condition ? ` if(${this.expr(n.condition)})` : "";
        return [line(`host_data${use}${condition}${n.ifPresent ? " if_present" : ""}`), ...printStmt(n.body)];
      }
      case "sync": {
        if (n.name !== "wait")
          refuse(at, `'sync ${n.name}'`, "translate it to a kind of device, which has barriers");
        if (n.queues.length === 0) this.noDevice(n.device, at);
        const device = n.device ? `devnum: ${this.expr(n.device)} : queues: ` : "";
        const queues = n.queues.length > 0 ? `(${device}${n.queues.map(this.expr).join(", ")})` : "";
        return [line(`wait${queues}${this.when(n)}`)];
      }
      case "device-control": {
        const clauses = [
          n.deviceType === undefined ? "" : ` device_type(${n.deviceType})`,
          n.deviceNum ? ` device_num(${this.expr(n.deviceNum)})` : "",
          n.defaultAsync ? ` default_async(${this.expr(n.defaultAsync)})` : "",
        ];
        return [line(`${n.what}${clauses.join("")}${n.condition ? ` if(${this.expr(n.condition)})` : ""}`)];
      }
      case "atomic": {
        const step = printStmt(atomicStatement(n, s.span));
        return n.reduction ? step : [line(`atomic ${n.what}`), ...step];
      }
      case "cache":
        return [line(`cache(${n.items.map((i) => this.object(i)).join(", ")})`)];
      default:
        return refuse(at, `'${n.kind}'`, "translate it to a kind of device");
    }
  }

  private task(n: Task, at: Loc, printStmt: (s: Stmt) => string[]): string[] {
    this.noDevice(n.device, at);
    if (n.hostTask !== undefined) refuse(at, "a construct that is a task of the host", "use async and wait");
    const spmd = asNode(n.body, "spmd");
    if (!spmd) return refuse(at, "a task without 'spmd'", "write #pragma upir spmd before its body");
    const isKernels = n.construct === "kernels" && this.manner !== "construct";
    const construct = spmd.serial ? "serial" : isKernels ? "kernels" : "parallel";
    const self = n.self === undefined ? "" : n.self === "always" ? " self" : ` self(${this.expr(n.self)})`;
    const defaults = n.defaultData === undefined ? "" : ` default(${n.defaultData})`;
    const copies = new Set([...spmd.firstprivates, ...spmd.privates]);
    const items = n.items.filter((i) => i.mapping.is !== "none" || !copies.has(i.sym));
    const isCopy = ({ object, sym, sharing }: DataItem): boolean =>
      sharing.is === "firstprivate" && object.kind === "ident" && object.sym !== sym;
    const copied = n.items.find(isCopy);
    if (copied)
      refuse(
        copied.loc,
        `'${copied.sym.name}', each gang's copy of '${copied.written}',`,
        "translate the file it was made of",
      );
    const around = this.items;
    this.items = n.items;
    const lines = this.reducing(stepsOfAll(spmd.body), (reductions) => [
      `#pragma acc ${construct}${this.spmd(spmd, at)}${reductions}${this.when(n)}${self}${defaults}${this.data(items, construct)}`,
      ...printStmt(this.ownedBack(n.items, spmd.body)),
    ]);
    this.items = around;
    return lines;
  }

  /** Prints a construct with clauses for the arrays that these steps reduce, unless one around it has them. */
  private reducing(steps: readonly Atomic[], print: (clauses: string) => string[]): string[] {
    const clauses = new Map<Symbol, string>();
    for (const { target, site, ...step } of steps) {
      const sym = baseOf(target);
      const op = combines({ target, site, ...step });
      if (!sym || op === undefined)
        return refuse(site.loc, "this step of an array's reduction", "translate the file it was made of");
      if (this.reduced.has(sym)) continue;
      const item = this.items.find((i) => i.sym === sym);
      clauses.set(sym, ` reduction(${op}:${item ? this.object(item) : this.spelled(sym)})`);
    }
    for (const sym of clauses.keys()) this.reduced.add(sym);
    const lines = print([...clauses.values()].join(""));
    for (const sym of clauses.keys()) this.reduced.delete(sym);
    return lines;
  }

  private spmd(n: Spmd, at: Loc): string {
    if (n.hints) refuse(at, "what 'spmd' asks of FPGA compilers", "leave it out");
    const size = (name: string, e: Expr | undefined): string =>
      e && !n.serial ? ` ${name}(${this.expr(e)})` : "";
    return [
      size("num_gangs", n.numTeams),
      size("num_workers", n.numUnits),
      size("vector_length", n.numLanes),
      this.list("private", n.privates),
      this.list("firstprivate", n.firstprivates),
      this.reductions(n.reductions),
    ].join("");
  }

  private loop(n: Loop, at: Loc): string {
    const { parallel, hints, headers } = n;
    if (hints?.unroll !== undefined || hints?.windows)
      refuse(at, "what 'loop' asks of FPGA compilers", "leave it out");
    const own = new Set(headers.filter((h) => h.declares).map((h) => h.var));
    const sized = { gang: parallel.gangs, worker: parallel.workers, vector: parallel.lanes };
    // Of a loop that is free only the levels with a size were asked for.
    const levels = parallel.levels
      .filter((level) => !parallel.free || sized[level])
      .map((level) => {
        const e = sized[level];
        if (!e) return ` ${level}`;
        return ` ${level}(${level === "gang" && parallel.dimension ? "dim: " : ""}${this.expr(e)})`;
      })
      .join("");
    const { independence } = parallel;
    // Nobody asked for the order of a loop that is free and runs in order: analysis found that it needs it.
    const isFound = independence === "auto" || (independence === "seq" && parallel.free);
    const order = isFound ? " auto" : independence === "seq" ? " seq" : " independent";
    const tile = parallel.tile
      ? ` tile(${parallel.tile.map((e) => (e === "*" ? "*" : this.expr(e))).join(", ")})`
      : "";
    const collapse = headers.length > 1 && !parallel.tile ? ` collapse(${headers.length})` : "";
    const privates = this.list(
      "private",
      n.privates.filter((sym) => !own.has(sym)),
    );
    return `${order}${levels}${collapse}${tile}${privates}${this.reductions(n.reductions)}`;
  }

  private list = (name: string, symbols: readonly Symbol[]): string =>
    symbols.length > 0 ? ` ${name}(${symbols.map(this.spelled).join(", ")})` : "";

  private reductions = (list: readonly Reduction[]): string =>
    list.map(({ op, sym }) => ` reduction(${op}:${this.spelled(sym)})`).join("");

  /** Items that the user's clauses gave; the others follow from the rules again. */
  data(items: readonly DataItem[], construct?: string): string {
    return items
      .flatMap((i) => {
        if (i.mapping.pipe)
          refuse(i.loc, `the pipe of '${i.written}'`, "leave out what stands behind its access");
        const { alwaysIn, alwaysOut, capture, zero, readonly } = i.mapping;
        const isSaid = (vis: Visibility): boolean => vis === "explicit" || this.manner !== "implied";
        const { is, vis } = i.sharing;
        // `kernels` takes no clauses for copies.
        const isSaidCopy = isSaid(vis) && construct !== "kernels";
        if (is === "private" && isSaidCopy) return [` private(${this.object(i)})`];
        if (i.mapping.is === "none")
          return is === "firstprivate" && isSaidCopy ? [` firstprivate(${this.object(i)})`] : [];
        if (!isSaid(i.mapping.vis)) return [];
        const modifiers = [
          ...(alwaysIn && alwaysOut ? ["always"] : alwaysIn ? ["alwaysin"] : alwaysOut ? ["alwaysout"] : []),
          ...(capture ? ["capture"] : []),
          ...(zero ? ["zero"] : []),
          ...(readonly ? ["readonly"] : []),
        ];
        const modifier = modifiers.length > 0 ? `${modifiers.join(", ")}: ` : "";
        return [` ${clauseOf[i.mapping.is]}(${modifier}${this.object(i)})`];
      })
      .join("");
  }

  private object(i: DataItem): string {
    return `${this.expr(i.object)}${i.section.map((d) => this.dimension(d, i.loc)).join("")}`;
  }

  private dimension({ start, length, stride }: SectionDim, at: Loc): string {
    if (stride) refuse(at, "a section of every so many elements", "name all of them");
    return `[${start ? this.expr(start) : ""}:${length ? this.expr(length) : ""}]`;
  }

  private when(n: { readonly async?: Async; readonly wait?: WaitList; readonly condition?: Expr }): string {
    const queue =
      n.async === undefined ? "" : n.async === "default" ? " async" : ` async(${this.expr(n.async)})`;
    const { queues = [], elsewhere = [] } = n.wait ?? {};
    const others = elsewhere.map(
      (w) => ` wait(devnum: ${this.expr(w.device)}: queues: ${w.queues.map(this.expr).join(", ")})`,
    );
    const here = queues.length > 0 ? ` wait(${queues.map(this.expr).join(", ")})` : " wait";
    const wait =
      n.wait && (queues.length > 0 || others.length === 0) ? [here, ...others].join("") : others.join("");
    return `${queue}${wait}${n.condition ? ` if(${this.expr(n.condition)})` : ""}`;
  }

  private noDevice(device: Expr | undefined, at: Loc): void {
    if (device) refuse(at, "a construct for one device by its number", "set the device before it");
  }

  /** Replaces variables that stand for objects in the region by those objects. */
  private ownedBack(items: readonly DataItem[], body: Stmt): Stmt {
    const own = new Map(items.flatMap((i) => (i.own ? [[i.sym, i.object] as const] : [])));
    return own.size > 0 ? substitute(body, own) : body;
  }
}

/** Steps of reductions of the arrays that the code around a loop's body has. */
function outerSteps(body: Stmt): readonly Atomic[] {
  const { declared } = usesOf(body);
  return stepsIn(body, () => true).filter(({ target }) => !declared.has(baseOf(target) as Symbol));
}

/** Steps outside of loops that could have the clause: the construct has it. */
const stepsOfAll = (body: Stmt): readonly Atomic[] =>
  stepsIn(body, (s) => (asNode(s, "loop")?.parallel.independence ?? "seq") === "seq");

function stepsIn(body: Stmt, enters: (s: Stmt) => boolean): readonly Atomic[] {
  const found: Atomic[] = [];
  walkStmt(body, {
    stmt(s) {
      const atomic = asNode(s, "atomic");
      if (atomic?.reduction) found.push(atomic);
      return enters(s);
    },
  });
  return found;
}

/** The array of an element. */
function baseOf(e: Expr): Symbol | undefined {
  const at = stripImplicit(e);
  if (at.kind === "index") return baseOf(at.base);
  return at.kind === "ident" ? at.sym : undefined;
}

function refuse(at: Loc, what: string, remedy: string): never {
  throw new CannotSay(at, `${what} has no counterpart in OpenACC`, remedy);
}
