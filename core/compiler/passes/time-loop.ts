/**
 * Recognises time loops, which sweep over one array into another and copy the result back in each step.
 *
 *     for (t...) { for (x...) b[x] = f(a[x-1], a[x], a[x+1]);  for (x...) a[x] = b[x]; }
 */
import { itemAt } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { leavesEarly, withoutContinue } from "../../ir/analysis/control.ts";
import { definitionsIn, forwarded } from "../../ir/analysis/locals.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import {
  type Base,
  type ElementAccess,
  isRefusal,
  neighbourhood,
} from "../../ir/analysis/loops/neighbourhood.ts";
import { isBuiltin } from "../../ir/analysis/routines.ts";
import { asNode, type Loop, type LoopHeader, type Task } from "../../ir/model/ir.ts";
import { node } from "../../ir/model/node-shapes.ts";
import { spmdOf } from "../../ir/model/region.ts";
import {
  compatibleUnqualified,
  elementType,
  findStatement,
  printExpr,
  substitute,
} from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { ident, index, stripImplicit } from "../../lang/tree/build.ts";
import { nestOf } from "./collapse.ts";
import { distinct } from "./rewrite/aliasing.ts";
import { differentIterations } from "./rewrite/iterations.ts";
import { Illegal } from "./rewrite/pass.ts";

export interface TimeLoop {
  readonly header: LoopHeader;
  /** Computes `output` from `input`; the copy back has the same iterations. */
  readonly sweep: Loop;
  readonly input: Symbol;
  readonly output: Symbol;
  /** The elements that an iteration of the sweep sets, in its variables. */
  readonly elements: { readonly input: Expr; readonly output: Expr };
  /** Distance from the place of an iteration in `input` to the element of `input` that the iteration sets. */
  readonly set: bigint;
  readonly loc: Loc;
}

/** A loop that might take several time steps at once, judged by its array accesses; not yet checked for legality. */
interface Candidate {
  readonly header: LoopHeader;
  readonly sweep: Loop;
  readonly input: Symbol;
  readonly output: Symbol;
  readonly rest: readonly Stmt[];
  readonly loc: Loc;
}

/** Whether any of the loops looks like a time loop by its array accesses. */
export const hasTimeLoop = (s: Stmt): boolean =>
  findStatement(s, (inner) => candidate(inner) !== undefined) !== undefined;

/** Undefined: the statement is not a time loop. Throws `Illegal` if its steps must not be combined. */
export function timeLoop(s: Stmt): TimeLoop | undefined {
  const found = candidate(s);
  return found && checked(found);
}

const statements = (s: Stmt): readonly Stmt[] =>
  s.kind === "compound" ? s.body.flatMap(statements) : s.kind === "expr" && !s.expr ? [] : [s];

/** A loop and all loops that are the only statement inside. */
function nest(s: Stmt): Loop | undefined {
  const loop = asNode(s, "loop");
  if (loop) return nestOf(loop, true, () => {});
  const header = s.kind === "for" ? countedHeader(s) : undefined;
  if (s.kind !== "for" || !header || "severity" in header) return undefined;
  const plain = node<Loop>({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "seq" },
    privates: [],
    reductions: [],
    body: s.body,
    site: { loc: s.span.start, what: "loop", stmt: s },
  });
  return nestOf(plain, true, () => {});
}

function steps(s: Stmt): { readonly header: LoopHeader; readonly body: Stmt; readonly loc: Loc } | undefined {
  const loop = asNode(s, "loop");
  if (loop) {
    const [header] = loop.headers;
    if (!header || loop.headers.length > 1 || loop.parallel.independence === "independent") return undefined;
    return { header, body: loop.body, loc: loop.site.loc };
  }
  const header = s.kind === "for" ? countedHeader(s) : undefined;
  if (s.kind !== "for" || !header || "severity" in header) return undefined;
  return { header, body: s.body, loc: s.span.start };
}

function candidate(s: Stmt): Candidate | undefined {
  const time = steps(s);
  const [first, ...rest] = time ? statements(time.body) : [];
  const sweep = first && nest(first);
  if (!time || !sweep || rest.length === 0) return undefined;
  // Loops whose position in the arrays depends on the outer loop.
  if (usesOf(time.body).of.has(time.header.var)) return undefined;
  const [own, later] = [usesOf(sweep.body), usesOf(...rest)];
  const arrays = [...own.of].filter(([sym]) => !own.declared.has(sym));
  const input = arrays.find(
    ([sym, u]) => u.elementsRead && !u.elementsWritten && later.of.get(sym)?.elementsWritten,
  );
  const output = arrays.find(([sym, u]) => u.elementsWritten && later.of.get(sym)?.elementsRead);
  if (!input || !output) return undefined;
  return { header: time.header, sweep, input: input[0], output: output[0], rest, loc: time.loc };
}

function refuse(message: string, loc: Loc, remedy?: string): never {
  throw new Illegal({
    code: "time-steps",
    loc,
    message: `the time steps stay one by one: ${message}`,
    why: "each step is computed while the one before it is: a step may use nothing of the steps before it but the array that the copy hands on",
    remedy: remedy ?? "write the loop as one sweep over the array and the copy back, or choose time-steps: 1",
  });
}

function checked({ header, sweep: loop, input, output, rest, loc }: Candidate): TimeLoop {
  const sweep: Loop = { ...loop, body: withoutContinue(loop.body) };
  const bounds = usesOf(...[header, ...sweep.headers].flatMap((h) => [h.lower, h.bound, h.step]));
  const [changing] = [...bounds.of].filter(([sym]) => sym === input || sym === output);
  if (changing) refuse(`how often a loop runs depends on '${changing[0].name}'`, changing[1].at.span.start);
  if (!header.declares) refuse(`'${header.var.name}' is declared outside of the loop`, loc);
  const early = leavesEarly(sweep.body);
  if (early) refuse(`control leaves the sweep by '${early.kind}'`, early.span.start);
  checkUses(sweep, input, output);
  const [second, third] = rest;
  if (third) refuse("it does more than the sweep and a copy", third.span.start);
  const set = storesOf(sweep, output);
  const back = copy(second as Stmt, sweep, input, output);
  if (!sameBase(back.of, set.base) || back.from !== set.offset)
    refuse(`the copy does not take what the sweep has set`, (second as Stmt).span.start);
  const reads = neighbourhood(sweep, input);
  if (isRefusal(reads)) return refuse(reads.reason, reads.loc);
  if (!sameBase(reads.base, back.to.base))
    refuse(
      `the copy goes through '${input.name}' in another way than the sweep`,
      (second as Stmt).span.start,
    );
  const [a, b] = [elementType(input.type), elementType(output.type)];
  if (!a || !b || !compatibleUnqualified(a, b))
    refuse(`elements of '${input.name}' and '${output.name}' have different types`, loc);
  return {
    header,
    sweep,
    input,
    output,
    elements: { input: back.to.element, output: set.element },
    set: back.to.offset,
    loc,
  };
}

/** A region that the program launches once per step, whose result is the next one's input. */
type LaunchedStep = Pick<TimeLoop, "sweep" | "input" | "output" | "set" | "loc"> & {
  /** The element of `output` that an iteration sets, in its variables. */
  readonly element: Expr;
};

/**
 * Undefined: the region is not one sweep over an array that it reads around each place. Throws `Illegal` like
 * `timeLoop`.
 */
export function launchedStep(task: Task): LaunchedStep | undefined {
  const { body, reductions } = spmdOf(task);
  const [only, ...more] = statements(body);
  const loop = only && more.length === 0 ? nest(only) : undefined;
  if (!loop || reductions.length > 0 || task.items.some((i) => i.mapping.pipe)) return undefined;
  const sweep: Loop = { ...loop, body: withoutContinue(loop.body) };
  const uses = usesOf(sweep.body);
  const arrays = [...uses.of].filter(([sym]) => !uses.declared.has(sym));
  const [output] = arrays.find(([, u]) => u.elementsWritten) ?? [];
  const inputs = arrays.flatMap(([sym, u]) => {
    const n = u.elementsRead && !u.elementsWritten ? neighbourhood(sweep, sym) : undefined;
    if (!n || isRefusal(n)) return [];
    return [{ sym, n, distances: new Set(n.accesses.map((a) => `${a.range.min} ${a.range.max}`)).size }];
  });
  const [most] = inputs.filter((i) => i.distances > 1).sort((a, b) => b.distances - a.distances);
  if (!output || !most) return undefined;
  const { loc } = sweep.site;
  const early = leavesEarly(sweep.body);
  if (early) refuse(`control leaves the sweep by '${early.kind}'`, early.span.start);
  const input = most.sym;
  checkUses(sweep, input, output);
  const set = storesOf(sweep, output);
  if (!sameBase(most.n.base, set.base))
    refuse(`'${output.name}' is set in another order than '${input.name}' is read`, loc);
  const [a, b] = [elementType(input.type), elementType(output.type)];
  if (!a || !b || !compatibleUnqualified(a, b))
    refuse(`elements of '${input.name}' and '${output.name}' have different types`, loc);
  return { sweep, input, output, set: set.offset, element: set.element, loc };
}

/** Refuses variables passed from one step to the next, and memory that may overlap the arrays. */
function checkUses({ body, headers, privates, reductions }: Loop, input: Symbol, output: Symbol): void {
  const [reduced] = reductions;
  if (reduced) refuse(`each step computes '${reduced.sym.name}'`, reduced.loc);
  const { of, declared, calls, indirectCall } = usesOf(body);
  const own = new Set([...declared, ...privates, ...headers.map((h) => h.var)]);
  for (const [callee, call] of calls)
    if (!isBuiltin(callee)) refuse(`'${callee.name}' is called, which may use the arrays`, call.span.start);
  if (indirectCall) refuse("a function is called through a pointer", indirectCall.span.start);
  for (const [sym, use] of of) {
    if (own.has(sym)) continue;
    if (use.written) refuse(`each step computes '${sym.name}'`, use.at.span.start);
    if (use.elementsWritten && sym !== output) refuse(`the sweep sets '${sym.name}', too`, use.at.span.start);
    if (sym === input || sym === output || !use.elementsRead) continue;
    for (const state of [input, output])
      if (!distinct(sym, state))
        refuse(
          `'${sym.name}' and '${state.name}' may be the same memory`,
          use.at.span.start,
          `declare '${sym.name}' and '${state.name}' restrict`,
        );
  }
}

interface Place {
  readonly base: Base;
  readonly offset: bigint;
  readonly element: Expr;
}

/** The element that every iteration sets. */
function storesOf(loop: Loop, array: Symbol): Place {
  const n = neighbourhood(loop, array);
  if (isRefusal(n)) return refuse(n.reason, n.loc);
  const read = n.accesses.find((a) => a.read);
  if (read) refuse(`the sweep reads '${printExpr(read.expr)}', which it sets`, read.expr.span.start);
  const [one] = n.accesses as readonly [ElementAccess];
  const other = n.accesses.find((a) => a.range.min !== one.range.min || a.range.max !== one.range.min);
  if (other) refuse(`an iteration sets several elements of '${array.name}'`, other.expr.span.start);
  if (n.accesses.every((a) => a.conditional))
    refuse(
      `'${printExpr(one.expr)}' is set only under a condition`,
      one.expr.span.start,
      `set it in every iteration, or choose time-steps: 1`,
    );
  return { base: n.base, offset: one.range.min, element: elementOf(loop, one) };
}

/** The element in the loop's own variables. */
function elementOf(loop: Loop, { expr }: ElementAccess): Expr {
  return index(expr.base, forwarded(expr.index, definitionsIn(loop.body, loop.privates)), expr.span);
}

/** `to[x] = from[x]` with the iterations and variables of `sweep`. */
function copy(
  at: Stmt,
  sweep: Loop,
  to: Symbol,
  from: Symbol,
): { readonly to: Place; readonly of: Base; readonly from: bigint } {
  const loc = at.span.start;
  const found = nest(at);
  if (!found) return refuse("the sweep is not followed by a loop that copies its result back", loc);
  const unlike = differentIterations(sweep, found);
  if (unlike) refuse(`the copy leaves out what the sweep sets, or takes more: ${unlike.why}`, unlike.loc);
  const names = new Map(found.headers.map((h, k) => [h.var, ident(itemAt(sweep.headers, k).var)] as const));
  const loop: Loop = { ...found, headers: sweep.headers, body: substitute(found.body, names) };
  // Declarations only name the subscript.
  const [only, ...more] = statements(loop.body).filter((s) => s.kind !== "decl");
  const value = only?.kind === "expr" ? only.expr : undefined;
  const uses = usesOf(loop.body);
  const plain =
    more.length === 0 &&
    uses.calls.size === 0 &&
    [...uses.of].every(([sym, use]) => uses.declared.has(sym) || !use.written) &&
    value?.kind === "assign" &&
    value.op === "=" &&
    isElement(value.left, to) &&
    isElement(value.right, from);
  const [write, read] = [neighbourhood(loop, to), neighbourhood(loop, from)];
  if (!plain || isRefusal(write) || isRefusal(read))
    return refuse(`the second loop does not just copy '${from.name}' back to '${to.name}'`, loc);
  const [target] = write.accesses as readonly [ElementAccess];
  const [source] = read.accesses as readonly [ElementAccess];
  return {
    to: { base: write.base, offset: target.range.min, element: elementOf(loop, target) },
    of: read.base,
    from: source.range.min,
  };
}

function isElement(e: Expr, array: Symbol): boolean {
  const b = stripImplicit(e);
  const root = b.kind === "index" ? stripImplicit(b.base) : undefined;
  return root?.kind === "ident" && root.sym === array;
}

const sameBase = (a: Base, b: Base): boolean =>
  sameTerms(a.loop, b.loop) && sameTerms(a.invariant, b.invariant);

const sameTerms = (a: ReadonlyMap<Symbol, bigint>, b: ReadonlyMap<Symbol, bigint>): boolean =>
  a.size === b.size && [...a].every(([sym, c]) => b.get(sym) === c);
