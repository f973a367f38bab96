/**
 * Host code for `ARC_CHECK=kernels`: before the launch, the host runs the construct's statement between runtime calls
 * that give it the device's data and record its results. Variables of which the device has private copies are restored.
 */

import { usesOf } from "../../../core/ir/analysis/access.ts";
import type { IrNode, Site, Task } from "../../../core/ir/model/ir.ts";
import { findNode, hasNode } from "../../../core/ir/model/nodes.ts";
import { type Argument, argumentsOf, spmdOf } from "../../../core/ir/model/region.ts";
import { canonical, printExpr, printStmt, walkStmt } from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { HostNames } from "./host-names.ts";
import { shapeOf } from "./shape.ts";

/** The lines for a launch; `launch` is the call. */
export type LaunchText = (
  task: Task,
  launch: string,
  names: HostNames,
  diagnostics: Diagnostic[],
) => readonly string[];

export const plainLaunch: LaunchText = (_, launch) => [launch];

/** `tolerance`: relative; absent: the runtime's default. */
export const comparedLaunch =
  (tolerance: number | undefined): LaunchText =>
  (task, launch, names, diagnostics) => {
    const text = statementOf(task);
    const why = obstacle(task, text);
    if (why !== undefined || text.lines === undefined) {
      diagnostics.push({
        severity: "note",
        code: "not-compared",
        loc: task.site.loc,
        message: `what this ${task.site.what} computes is not compared with the host's results`,
        ...(why !== undefined && { why }),
      });
      return [launch];
    }
    const args = argumentsOf(task);
    const [reference, shapes] = [names("reference"), names("shapes")];
    const restored = restoredVariables(task, text.stmts);
    const copy = (v: Symbol) => names(`kept_${v.name}`);
    return [
      `static const char *const ${shapes}[] = {${args.map(shape).join(", ") || "0"}};`,
      `void *const ${reference} = arc_reference_begin(&${names("here")}, "${task.region}", ${args.length}, ${args.length ? names("args") : "0"}, ${shapes}, ${tolerance ?? 0});`,
      `if (${reference}) {`,
      ...restored.flatMap((v) => [
        `  __typeof__(${v.name}) ${copy(v)};`,
        `  __builtin_memcpy((void *)&${copy(v)}, (const void *)&${v.name}, sizeof ${v.name});`,
      ]),
      "  {",
      ...localLabels(text.stmts).map((label) => `    __label__ ${label};`),
      ...text.lines.map((line) => (line.startsWith("#") ? line : `    ${line}`)),
      "  }",
      ...restored.map(
        (v) => `  __builtin_memcpy((void *)&${v.name}, (const void *)&${copy(v)}, sizeof ${v.name});`,
      ),
      `  arc_reference_take(${reference});`,
      "}",
      launch,
      `if (${reference}) arc_reference_compare(${reference});`,
    ];
  };

function obstacle(task: Task, { stmts, lines }: Statement): string | undefined {
  if (lines === undefined) return "it is not a statement of the program any more";
  const differing = callThatDiffers(stmts);
  if (differing !== undefined) return `it calls '${differing}'`;
  if (hasNode(spmdOf(task).body, "shuffle")) return "its threads read each other's values";
  const atomic = findNode(spmdOf(task).body, "atomic", (n) => n.what !== "update");
  return atomic && "the order of its atomic operations decides what it computes";
}

function shape({ how, item, sym }: Argument): string {
  const type: CType = item.own ? sym.type : item.object.type;
  const text = how === "buffer" || how === "object" ? shapeOf(type) : undefined;
  return text === undefined ? "0" : JSON.stringify(text);
}

interface Statement {
  readonly stmts: readonly Stmt[];
  /** Undefined if passes generated it. */
  readonly lines?: readonly string[];
}

const serial = { pragma: () => [], plainLocals: true } as const;

/** The statement that the host would run instead. A task may be a part of a `kernels` construct. */
function statementOf(task: Task): Statement {
  const { stmt } = task.site;
  const objects = new Map(task.items.flatMap((i) => (i.own ? [[i.sym, i.object] as const] : [])));
  let isComplete = true;
  const stmts: Stmt[] = [];
  const linesOf = (s: Stmt): string[] => {
    stmts.push(s);
    return printStmt(s, {
      ...serial,
      expr: (e) => {
        const object = e.kind === "ident" ? objects.get(e.sym) : undefined;
        return object && `(${printExpr(object)})`;
      },
      stmt: (inner) => {
        if (inner.kind !== "ext") return undefined;
        const original = siteOf(inner.ext as IrNode)?.stmt;
        if (original) return linesOf(original);
        isComplete = false;
        return [];
      },
    }).split("\n");
  };
  const lines = linesOf(task.construct !== "kernels" && stmt ? stmt : spmdOf(task).body);
  return isComplete ? { stmts, lines } : { stmts };
}

const siteOf = (n: IrNode): Site | undefined => ("site" in n ? n.site : undefined);

/** Variables of the program that the host's run may change and the device does not. */
function restoredVariables(task: Task, stmts: readonly Stmt[]): readonly Symbol[] {
  const isPointer = (sym: Symbol) => canonical(sym.type).kind === "pointer";
  const memory = new Set(
    argumentsOf(task).flatMap(({ how, item }) => {
      const root = how === "buffer" || how === "object" ? rootOf(item.object) : undefined;
      return root && !isPointer(root) ? [root] : [];
    }),
  );
  const inside = new Set(stmts.flatMap((s) => [...usesOf(s).declared]));
  const found = new Set<Symbol>();
  for (const s of stmts)
    for (const [sym, use] of usesOf(s).of) {
      const changed = use.written || use.addressTaken || (use.elementsWritten && !isPointer(sym));
      const isVariable = sym.kind === "var" || sym.kind === "param";
      if (changed && isVariable && !inside.has(sym) && !memory.has(sym) && !sym.type.quals?.const)
        found.add(sym);
    }
  return [...found];
}

/** The variable that contains an object: `s` for `s.a`, undefined for `p->a`. */
function rootOf(object: Expr): Symbol | undefined {
  const e = stripImplicit(object);
  if (e.kind === "ident") return e.sym;
  if (e.kind === "member" && !e.arrow) return rootOf(e.base);
  return e.kind === "index" && canonical(stripImplicit(e.base).type).kind === "array"
    ? rootOf(e.base)
    : undefined;
}

function localLabels(stmts: readonly Stmt[]): readonly string[] {
  const labels: string[] = [];
  for (const s of stmts)
    walkStmt(s, { stmt: (inner) => (inner.kind === "label" ? labels.push(inner.name) : undefined) });
  return labels;
}

const differsOnHost = /^(acc_|omp_|printf$|fprintf$|puts$|putchar$|putc$|fputs$|abort$|exit$|__assert)/;

/** A function of the region or its routines whose result or effect differs on the host. */
function callThatDiffers(stmts: readonly Stmt[], seen = new Set<Symbol>()): string | undefined {
  let found: string | undefined;
  const look = (e: Expr): void => {
    if (e.kind !== "call" || e.callee.kind !== "ident" || seen.has(e.callee.sym)) return;
    const { sym } = e.callee;
    seen.add(sym);
    if (differsOnHost.test(sym.name)) found ??= sym.name;
    else if (sym.definition) found ??= callThatDiffers([sym.definition.body], seen);
  };
  for (const s of stmts) walkStmt(s, { expr: look });
  return found;
}
