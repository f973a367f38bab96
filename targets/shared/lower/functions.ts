/** Clones of the functions a region calls, with the file-scope variables they need as parameters. */

import { entryOf } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import { type DeviceRoutine, routineCalled } from "../../../core/ir/model/device-routines.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import {
  canonical,
  INT,
  isDataPointer,
  mapChildren,
  mapWithSizes,
  pointerTo,
  substitute,
  symbolOfCopy,
} from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  addressOf,
  comma,
  compound,
  declare,
  deref,
  freshSymbol,
  ident,
} from "../../../core/lang/tree/build.ts";
import type { KernelFunction } from "../device/device.ts";
import { sharedByGangs } from "../loops/gang-loops.ts";
import { sequentialNest } from "../loops/sequential.ts";
import { type Answer, type Answers, answered, answersOfFunction, routinesIn } from "./answers.ts";
import { deviceDeclaration } from "./declarations.ts";
import { arraysAsPointers, type Parameters } from "./parameters.ts";

interface Clone {
  readonly sym: Symbol;
  /** Launch positions that it and its callees query, passed by callers. */
  readonly asked: ReadonlyMap<DeviceRoutine, Symbol>;
  readonly globals: readonly Passed[];
}

/** A file-scope variable as a parameter of functions. */
interface Passed {
  readonly global: Symbol;
  readonly argument: Argument;
  readonly sym: Symbol;
  /** The parameter leads to the variable. */
  readonly byAddress: boolean;
}

/**
 * `functions`: callees before callers. The region's body passes its own parameters for the variables;
 * clones pass theirs on. A variable that the region has by value stays a value, a mapped one a pointer; where a function
 * changes a value, or where a pointer leads, all of them share the region's variable by its address.
 */
export function cloneFunctions(
  functions: ReadonlyMap<Symbol, DeviceFunction>,
  args: readonly Argument[],
  parameters: Parameters,
): { functions: readonly KernelFunction[]; rewriteCalls: (body: Stmt, answers: Answers) => Stmt } {
  const clones = new Map<DeviceFunction, Clone>();
  const all = new Set(functions.values());
  const bodies = new Map([...all].map((f) => [f, sharedByGangs(f)] as const));
  const bodyOf = (f: DeviceFunction): Stmt => entryOf(bodies, f);
  const changed = new Set(
    [...all].flatMap((f) =>
      [...f.globals].flatMap(([global, use]) => (use.written || use.addressTaken ? [global] : [])),
    ),
  );
  const isShared = ({ how, sym }: Argument): boolean =>
    changed.has(sym) && (how === "value" || (how === "buffer" && canonical(sym.type).kind === "pointer"));
  for (const f of all) {
    const globals = [...f.globals.keys()].flatMap((global) => {
      const argument = args.find((a) => a.sym === global && a.how !== "extent");
      if (!argument) return [];
      const byAddress = argument.how === "object" || isShared(argument);
      const own = argument.how === "object" ? global.type : parameters.typeOf(argument);
      const type = byAddress ? pointerTo(own) : own;
      return [{ global, argument, sym: freshSymbol(global.name, type), byAddress }];
    });
    const sym = symbolOfCopy(f.def);
    const callees = [...usesOf(f.def.body).calls.keys()].flatMap((callee) => {
      const called = functions.get(callee);
      return called ? [...(clones.get(called)?.asked.keys() ?? [])] : [];
    });
    const routines = new Set([...routinesIn(bodyOf(f)), ...callees]);
    const asked = new Map(
      [...routines].map((r) => [r, freshSymbol(r.replace(/^omp_get/, "arc"), INT)] as const),
    );
    clones.set(f, { sym, globals, asked });
  }

  const calls = (body: Stmt, passed: (argument: Argument) => Expr, answer: Answer): Stmt =>
    mapWithSizes(body, (e) => {
      if (e.kind !== "call") return e;
      const routine = routineCalled(e);
      if (routine) return e.args.reduceRight((rest, arg) => comma(arg, rest), answer(routine));
      const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
      const called = callee.kind === "ident" ? functions.get(callee.sym) : undefined;
      const clone = called && clones.get(called);
      if (!clone) return e;
      return {
        ...e,
        callee: ident(clone.sym),
        args: [
          ...e.args,
          ...clone.globals.map((g) => passed(g.argument)),
          ...[...clone.asked.keys()].map(answer),
        ],
      };
    });

  const result = [...all].map((f): KernelFunction => {
    const clone = entryOf(clones, f);
    const replace = new Map<Symbol, Expr>(
      clone.globals.map((g) => [g.global, g.byAddress ? deref(ident(g.sym)) : ident(g.sym)]),
    );
    const byArgument = new Map(clone.globals.map((g) => [g.argument, g.sym]));
    const own = (argument: Argument): Expr => ident(entryOf(byArgument, argument));
    const arrays = clone.globals.filter((g) => g.argument.how === "buffer").map((g) => g.global);
    const plain = arraysAsPointers(bodyOf(f), new Set(arrays));
    const told = answersOfFunction((routine) => ident(entryOf(clone.asked, routine)));
    const body = sequentialLoops(answered(substitute(plain, replace), told, (s, by) => calls(s, own, by)));
    return {
      sym: clone.sym,
      params: [
        ...f.def.params.map((p) => ({ sym: p, pointer: isDataPointer(p.type) })),
        ...clone.globals.map((g) => ({ sym: g.sym, pointer: g.byAddress || g.argument.how !== "value" })),
        ...[...clone.asked.values()].map((sym) => ({ sym, pointer: false })),
      ],
      def: f.def,
      body,
    };
  });

  const fromRegion = (argument: Argument): Expr => {
    parameters.use(argument);
    const sym = ident(parameters.symbolOf(argument));
    return isShared(argument) ? addressOf(sym) : sym;
  };
  const rewriteCalls = (body: Stmt, answers: Answers) =>
    answered(body, answers, (s, answer) => calls(s, fromRegion, answer));
  return { functions: result, rewriteCalls };
}

/** Inside functions the rest of every loop runs in order, since the caller already uses all items. */
function sequentialLoops(s: Stmt): Stmt {
  if (s.kind === "decl") return deviceDeclaration(s);
  const loop = asNode(s, "loop");
  if (!loop)
    return asNode(s, "cache") || asNode(s, "sync")
      ? { kind: "expr", span: s.span }
      : mapChildren(s, sequentialLoops);
  return sequentialNest(
    loop.headers,
    compound([...loop.privates.map((p) => declare(p)), sequentialLoops(loop.body)]),
  );
}
