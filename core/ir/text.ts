/** The IR as text: C with one canonical `#pragma upir` line per node, every attribute written out. */
import type { Expr, FunctionDef, Stmt } from "../lang/ast.ts";
import { printDecl, printExpr, printStmt } from "../lang/index.ts";
import type { Idiom } from "./idioms.ts";
import type { DataItem, IrNode, Loop, LoopHints, Reduction, Spmd, Task } from "./ir.ts";

/** A task in a form that does not depend on where it stands or how its directive was spelled. */
export function regionText(task: Task, functions: readonly FunctionDef[] = []): string {
  const types = task.items.map((i) => printDecl(i.sym.type, i.sym.name));
  const callees = functions.map((f) => [printDecl(f.sym.type, f.sym.name), irText(f.body)].join("\n"));
  return [...callees, ...types, nodeText(task).join("\n")].join("\n");
}

export function irText(s: Stmt): string {
  return printStmt(s, {
    stmt: (child) => (child.kind === "ext" ? nodeText(child.ext as IrNode | Idiom) : undefined),
  });
}

const opt = (name: string, e: Expr | string | undefined): string =>
  e === undefined ? "" : ` ${name}(${typeof e === "string" ? e : printExpr(e)})`;
const list = (name: string, items: readonly string[]): string =>
  items.length ? ` ${name}(${items.join(", ")})` : "";

function itemText(i: DataItem): string {
  const dims = i.section.map(
    (d) => `[${d.start ? printExpr(d.start) : ""}:${d.length ? printExpr(d.length) : ""}]`,
  );
  const pipe = i.mapping.pipe ? [`pipe-${i.mapping.pipe}`] : [];
  const flags = (["zero", "readonly", "finalize", "ifPresent", "alwaysIn", "alwaysOut"] as const).filter(
    (f) => i.mapping[f],
  );
  return `data(${printExpr(i.object)}${dims.join("")}: ${[i.sharing.is, i.mapping.is, i.access, ...flags, ...pipe].join(" ")})`;
}

const reductionText = (r: Reduction) => ` reduction(${r.op}: ${r.sym.name})`;

function loopText(n: Loop): string {
  const headers = n.headers.map(
    (h) =>
      `${printDecl(h.var.type, h.var.name)} = ${printExpr(h.lower)}; ${h.relation} ${printExpr(h.bound)}; ${printExpr(h.step)}`,
  );
  const p = n.parallel;
  return (
    `loop(${headers.join(" | ")}) ${p.independence}${list("levels", p.levels)}` +
    opt("gangs", p.gangs) +
    opt("workers", p.workers) +
    opt("lanes", p.lanes) +
    list(
      "tile",
      (p.tile ?? []).map((t) => (t === "*" ? "*" : printExpr(t))),
    ) +
    list(
      "private",
      n.privates.map((s) => s.name),
    ) +
    n.reductions.map(reductionText).join("") +
    hintsText(n.hints)
  );
}

function hintsText(hints: LoopHints | undefined): string {
  if (!hints) return "";
  const window = hints.window && [hints.window.input, ...hints.window.outputs].map((s) => s.name);
  return (
    (hints.unroll === undefined ? "" : ` unroll(${hints.unroll})`) + (window ? list("window", window) : "")
  );
}

function spmdHints(n: Spmd): string {
  const { simd, computeUnits } = n.hints ?? {};
  return (
    (simd === undefined ? "" : ` simd(${simd})`) +
    (computeUnits === undefined ? "" : ` compute_units(${computeUnits})`)
  );
}

function heading(n: IrNode | Idiom): string {
  switch (n.kind) {
    case "task":
      return `task ${n.flavour}${n.items.map((i) => ` ${itemText(i)}`).join("")}`;
    case "spmd":
      return (
        `spmd${n.serial ? " serial" : ""}${opt("teams", n.numTeams)}${opt("units", n.numUnits)}${opt("lanes", n.numLanes)}` +
        list(
          "private",
          n.privates.map((s) => s.name),
        ) +
        n.reductions.map(reductionText).join("") +
        spmdHints(n)
      );
    case "delayline":
      return `delayline(${printExpr(n.line)}, length ${n.length}, shift ${n.shift}, taps ${n.taps === "all" ? "all" : n.taps.join(" ")})${opt("lane", n.lane?.name)}${opt("guard", n.guard)}${opt("value", n.value)}`;
    case "accumulator":
      return `accumulator(${n.op}: ${printExpr(n.register)}, lanes ${n.lanes}, depth ${n.depth})${opt("init", n.init)}${opt("drain", n.drain)}`;
    case "accumulate":
      return `accumulate(${printExpr(n.register)}, depth ${n.depth}) ${printDecl(n.partial.type, n.partial.name)}`;
    case "channel-write":
      return `channel-write ${n.channel}${opt("value", n.value)}`;
    case "channel-read":
      return `channel-read ${n.channel} ${printDecl(n.into.type, n.into.name)}`;
    case "loop":
      return loopText(n);
    case "atomic":
      return `atomic ${n.what}${opt("target", n.target)}${n.op ? ` op(${n.op})` : ""}${n.reversed ? " reversed" : ""}${opt("value", n.value)}${opt("captured", n.captured)}${n.captureNew ? " new" : ""}`;
    case "data":
    case "data-move":
    case "declare":
    case "cache":
      return `${n.kind === "data-move" ? n.what : n.kind}${n.items.map((i) => ` ${itemText(i)}`).join("")}`;
    case "host-data":
      return `host-data${list(
        "use",
        n.variables.map((v) => v.name),
      )}`;
    case "sync":
      return `${n.name}${list(
        "queues",
        n.queues.map((q) => printExpr(q)),
      )}`;
    case "device-control":
      return `${n.what}${opt("type", n.deviceType)}${opt("num", n.deviceNum)}${opt("async", n.defaultAsync)}`;
  }
}

function nodeText(n: IrNode | Idiom): string[] {
  const body = n.shape.parts(n as never).stmts;
  return [`#pragma upir ${heading(n)}`, ...body.flatMap((s) => irText(s).split("\n"))];
}
