/**
 * Builds hardware from a kernel in single work-item form: decides which parts are pipelines, and how control passes
 * between them.
 */
import { holdsLoop, leavesEarly } from "../../ir/analysis/control.ts";
import { type Accumulator, asIdiom } from "../../ir/model/idioms.ts";
import { INT, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, ForStmt, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  unary,
} from "../../lang/tree/build.ts";
import type { Graph } from "../dfg/graph.ts";
import { loadLevels } from "../dfg/load-levels.ts";
import { carriedDependence } from "../dfg/memory.ts";
import {
  type Control,
  type HardwareNote,
  type HardwareRegion,
  NotStraight,
  type Pipeline,
  type PipelinedLoop,
  SHORT_ADDRESS,
  Unsupported,
  WHOLE_ADDRESS,
} from "../dfg/region.ts";
import { forwardStores } from "../dfg/store-forwarding.ts";
import { BIT, type Value, type Variable } from "../dfg/value.ts";
import { takesCycles } from "../operators/cycles.ts";
import { turnsOf } from "./block/accumulators.ts";
import { Block } from "./block/block.ts";
import { draining } from "./drain.ts";
import { findTables, initialising } from "./initial.ts";
import { countedDown, type Iterating, type LoopStmt, testedFirst, testedLast } from "./iterations.ts";
import { reachingItsEnd } from "./leaving.ts";
import { boundsOf, mayWrap } from "./loop-bounds.ts";
import { prepared } from "./prepared.ts";
import { PointerRoots } from "./scope/roots.ts";
import { NeedsWholeAddresses, Scope } from "./scope/scope.ts";
import type { KernelSignature } from "./scope/signature.ts";
import { asChoices } from "./scope/switches.ts";
import { assigned, stripped, unrollOf } from "./scope/syntax.ts";
import { inTwo } from "./split-effects.ts";

interface BuildOptions {
  /** Width of addresses at least; a kernel with pointers in memory gets whole ones. */
  readonly addressBits?: number;
}

export function buildHardware(
  kernel: KernelSignature,
  { addressBits = SHORT_ADDRESS }: BuildOptions = {},
): HardwareRegion | { readonly diagnostics: readonly Diagnostic[] } {
  try {
    return new Builder(prepared(kernel), addressBits).run();
  } catch (problem) {
    if (problem instanceof NeedsWholeAddresses) return buildHardware(kernel, { addressBits: WHOLE_ADDRESS });
    // Tests of steps are not cut into several.
    const refusal = problem instanceof NotStraight ? notOneStep(problem, kernel.loc) : problem;
    if (!(refusal instanceof Unsupported)) throw problem;
    const { diagnostic } = refusal;
    // Statements that the front end made itself stand nowhere in the source.
    const loc = diagnostic.loc.line > 0 ? diagnostic.loc : kernel.loc;
    return { diagnostics: [{ ...diagnostic, loc }] };
  }
}

function notOneStep(reason: NotStraight | undefined, at: Loc): Unsupported {
  return new Unsupported(
    "no-hardware",
    reason?.loc ?? at,
    `this cannot be one pipeline, and cannot be cut into several: ${reason?.message}`,
    "a step of the hardware reads memory first and writes it last",
    "split the statement in two",
  );
}

/** Whether the graph has no effect. */
function isIdle({ updates, stores, writes, sends, receives }: Graph): boolean {
  return updates.size + stores.length + writes.length + sends.length + receives.length === 0;
}

class Builder {
  private readonly kernel: KernelSignature;
  private readonly scope: Scope;
  private readonly notes: HardwareNote[] = [];
  /** Loops that run once, right after the turns of partial results were reset. */
  private readonly accumulators = new Map<Stmt, { readonly selector: Variable; readonly depth: number }>();
  private count = 0;
  /** Variables that functions change. */
  private readonly changing: ReadonlySet<Symbol>;

  constructor(kernel: KernelSignature, addressBits: number) {
    this.kernel = kernel;
    this.scope = new Scope(kernel, new PointerRoots(kernel), delayLines(kernel), addressBits);
    findTables(kernel, this.scope);
    this.changing = new Set([...kernel.functions.values()].flatMap((f) => [...assigned(f.body)]));
    if (!mayWrap(kernel)) this.scope.bounds = [];
  }

  run(): HardwareRegion {
    const control: Control = { kind: "sequence", body: this.sequence(this.kernel.body) };
    return {
      name: this.kernel.name,
      arguments: this.kernel.parameters.map((p) => this.scope.register(p, this.kernel.loc)),
      control,
      addressBits: this.scope.addressBits,
      notes: this.notes,
      ...(this.kernel.flush && { flush: true }),
    };
  }

  /** Neighbouring statements share a pipeline as far as possible. */
  private sequence(list: readonly Stmt[]): Control[] {
    const out: Control[] = [];
    let pending: Stmt[] = [];
    /** The block shared by the statements so far. */
    let block = new Block(this.scope);
    const begin = () => {
      pending = [];
      block = new Block(this.scope);
    };
    const flush = () => {
      if (pending.length > 0) out.push(...this.straight(pending));
      begin();
    };
    for (const s of list.flatMap(flattened).flatMap((one) => initialising(this.scope, one))) {
      if (this.whyNot(block, s) === undefined) {
        pending.push(s);
        continue;
      }
      const mergedPart = this.mergedStep(pending, s);
      if (mergedPart) {
        out.push(...mergedPart);
        begin();
        continue;
      }
      flush();
      if (this.whyNot(block, s) === undefined) pending.push(s);
      else {
        out.push(...this.alone(s));
        begin();
      }
    }
    flush();
    return out;
  }

  /** Statements and the loop after them, if one step can do both the statements and what the loop needs before it. */
  private mergedStep(list: readonly Stmt[], s: Stmt): Control[] | undefined {
    if (list.length === 0 || (s.kind !== "for" && s.kind !== "while" && s.kind !== "do")) return undefined;
    try {
      return this.pipelined(s, list);
    } catch (problem) {
      if (!(problem instanceof NotStraight)) throw problem;
      return undefined;
    }
  }

  /** Why a graph cannot include a statement; after a failure the graph must not be used any more. */
  private whyNot(block: Block, s: Stmt): NotStraight | undefined {
    try {
      loadLevels(block.straight([s]).finish(), undefined, this.kernel.loc);
      return undefined;
    } catch (problem) {
      if (!(problem instanceof NotStraight)) throw problem;
      return problem;
    }
  }

  private whyNotTest(test: Expr): NotStraight | undefined {
    return this.whyNot(new Block(this.scope), exprStmt(unary("!", test)));
  }

  private straight(list: readonly Stmt[]): Control[] {
    const graph = new Block(this.scope).straight(list).finish();
    return isIdle(graph) ? [] : [this.once(graph, list)];
  }

  private once(graph: Pipeline["graph"], list: readonly Stmt[]): Pipeline {
    return { kind: "pipeline", name: this.name("step"), graph, loc: list[0]?.span.start ?? this.kernel.loc };
  }

  private name(what: string): string {
    return `${what}${this.count++}`;
  }

  private alone(s: Stmt): Control[] {
    switch (s.kind) {
      case "for":
      case "while":
      case "do":
        return this.loop(s);
      case "if": {
        const parts = this.whyNotTest(s.test) && inTwo(s);
        if (parts) return this.sequence(parts);
        const test = this.scope.variable("taken", BIT);
        const block = new Block(this.scope);
        block.set(test, block.test(s.test));
        return [
          this.once(block.finish(), [s]),
          {
            kind: "if",
            test,
            then: { kind: "sequence", body: this.sequence([s.then]) },
            ...(s.else && { else: { kind: "sequence", body: this.sequence([s.else]) } }),
          },
        ];
      }
      case "switch":
        return this.sequence(asChoices(s));
      case "ext": {
        const accumulator = asIdiom(s, "accumulator");
        if (accumulator) return this.accumulating(accumulator, s);
        const turn = asIdiom(s, "accumulate");
        if (turn)
          return [
            this.once(new Block(this.scope).turn(turn, "start").finish(), [s]),
            ...this.sequence([turn.body]),
            this.once(new Block(this.scope).turn(turn, "end").finish(), [s]),
          ];
      }
    }
    const parts = inTwo(s);
    if (parts) return this.sequence(parts);
    throw notOneStep(this.whyNot(new Block(this.scope), s), s.span.start);
  }

  /** A reduction with partial results: initialise them, run the loop, combine them in order. */
  private accumulating(node: Accumulator, at: Stmt): Control[] {
    const { register, init, depth, body } = node;
    const places = Array.from({ length: depth }, (_, k) => index(register, intLit(k)));
    const { selector } = turnsOf(this.scope, register, depth);
    const block = new Block(this.scope).straight(places.map((place) => exprStmt(assign(place, init))));
    block.set(selector, block.graph.constant(0, selector.shape));
    const [loop, ...others] = flattened(body).filter((s) => s.kind === "for");
    if (loop && others.length === 0) this.accumulators.set(loop, { selector, depth });
    return [this.once(block.finish(), [at]), ...this.sequence([body]), ...this.sequence(draining(node, at))];
  }

  // ---------------------------------------------------------------- loops

  private loop(s: LoopStmt): Control[] {
    try {
      return this.pipelined(s);
    } catch (problem) {
      if (!(problem instanceof NotStraight)) throw problem;
      const message = `the loop is not pipelined: ${problem.message}`;
      const innermost = !holdsLoop(s.body) && s.span.start.line > 0;
      this.notes.push({ message, loc: problem.loc, ...(innermost && { loop: s.span.start }) });
    }
    return this.stepped(s);
  }

  /** A loop whose iterations run one after the other. */
  private stepped(s: LoopStmt): Control[] {
    try {
      return this.steppedStraight(s);
    } catch (problem) {
      if (!(problem instanceof NotStraight)) throw problem;
    }
    const test = this.scope.variable("more", BIT);
    const first = s.kind === "for" && s.init ? [s.init.kind === "decl" ? s.init : exprStmt(s.init)] : [];
    const hasEnded = freshSymbol("arc_ended", INT);
    const endingLoop = reachingItsEnd(s, hasEnded);
    const breaks = leavesEarly(s.body) !== undefined;
    // After a `break` neither the step nor the test is executed.
    const goesOn = binary("==", ident(hasEnded), intLit(0));
    const condition = !breaks ? s.test : s.test ? binary("&&", goesOn, s.test) : goesOn;
    // The first iteration of a `do` loop has no condition.
    const hasBegun = s.kind === "do" ? freshSymbol("arc_begun", INT) : undefined;
    const tested = hasBegun && condition ? binary("||", unary("!", ident(hasBegun)), condition) : condition;
    const step = s.kind === "for" && s.step ? [exprStmt(s.step)] : [];
    const begins = hasBegun ? [exprStmt(assign(ident(hasBegun), intLit(1)))] : [];
    const statements = [...begins, endingLoop, ...step.map((one) => (breaks ? ifStmt(goesOn, one) : one))];
    const body = this.inside(s, () => this.sequence(statements));
    const inner: Control = { kind: "sequence", body };
    const testing = (): Pipeline => {
      const block = new Block(this.scope);
      block.set(test, tested ? block.test(tested) : block.graph.constant(1, BIT));
      return this.once(block.finish(), [s]);
    };
    const before = testing();
    const around: Control = { kind: "loop", test, before, body: inner };
    const starts = [...(breaks ? [hasEnded] : []), ...(hasBegun ? [hasBegun] : [])].map((v) =>
      declare(v, intLit(0)),
    );
    return [...this.sequence([...starts, ...first]), around];
  }

  /** An iteration is one step that also computes whether there is another. */
  private steppedStraight(s: LoopStmt): Control[] {
    const test = this.scope.variable("more", BIT);
    const before = new Block(this.scope);
    if (s.kind === "for" && s.init) before.straight([s.init.kind === "decl" ? s.init : exprStmt(s.init)]);
    const yes = () => before.graph.constant(1, BIT);
    before.set(test, s.kind === "do" || !s.test ? yes() : before.test(s.test));
    const first = before.finish();
    loadLevels(first, undefined, s.span.start);
    const block = this.inside(s, () => new Block(this.scope));
    block.iteration(s.body, s.kind === "for" ? s.step : undefined, 1, yes);
    const condition = s.test ? block.test(s.test) : block.graph.constant(1, BIT);
    block.set(test, block.graph.and(condition, block.graph.not(block.returned)));
    const graph = block.finish();
    loadLevels(graph, undefined, s.span.start);
    return [this.once(first, [s]), { kind: "loop", test, body: this.once(graph, [s]) }];
  }

  /** A loop whose iterations overlap; `earlier`: statements that the step before it includes. */
  private pipelined(s: LoopStmt, earlier: readonly Stmt[] = []): Control[] {
    const copies = Math.max(1, unrollOf(s) ?? 1);
    const before = new Block(this.scope).straight(earlier);
    if (s.kind === "for" && s.init) before.straight([s.init.kind === "decl" ? s.init : exprStmt(s.init)]);
    const block = this.inside(s, () => new Block(this.scope));
    const loopOf: Iterating = { scope: this.scope, before, block, copies };
    const count = s.kind === "for" ? countedDown(loopOf, s, this.settledTurns(s, copies)) : undefined;
    const more = count?.more ?? (s.kind === "do" ? testedLast(loopOf, s) : testedFirst(loopOf, s));
    const graph = block.finish();
    if (needsCycles(more))
      throw new NotStraight("its condition takes several cycles to compute", s.span.start);
    const known = { independent: isIndependent(s), proved: this.kernel.provedOf(s) };
    forwardStores(graph, before.graph, more, known);
    const memory = carriedDependence(graph, known.independent, known.proved);
    const loop: PipelinedLoop = {
      more,
      before: before.graph,
      ...(count && { counter: count.counter }),
      ...(memory && { memory }),
    };
    loadLevels(graph, more, s.span.start);
    loadLevels(before.finish(), undefined, s.span.start);
    return [
      this.once(before.graph, [s]),
      { kind: "pipeline", name: this.name("loop"), graph, loop, loc: s.span.start },
    ];
  }

  /** Builds code that runs in a loop before its step, where the loop's bounds hold. */
  private inside<T>(s: LoopStmt, build: () => T): T {
    const outer = this.scope.bounds;
    if (outer) this.scope.bounds = [...outer, ...boundsOf(this.scope, s, this.changing)];
    try {
      return build();
    } finally {
      this.scope.bounds = outer;
    }
  }

  /** Turn variables that complete whole rounds in each iteration of a loop that starts with the first one. */
  private settledTurns(s: ForStmt, copies: number): readonly Variable[] {
    const accumulator = this.accumulators.get(s);
    const steps = flattened(s.body).filter((part) => part.kind === "ext" && asIdiom(part, "accumulate"));
    return accumulator && steps.length === 1 && copies % accumulator.depth === 0
      ? [accumulator.selector]
      : [];
  }
}

// ---------------------------------------------------------------- parts of C

function flattened(s: Stmt): readonly Stmt[] {
  return s.kind === "compound" ? s.body.flatMap(flattened) : [s];
}

/** The arrays used by the kernel's delay lines. */
function delayLines(kernel: KernelSignature): ReadonlySet<Symbol> {
  const symbols = new Set<Symbol>();
  for (const s of kernel.body)
    walkStmt(s, {
      stmt(child) {
        const line = asIdiom(child, "delayline");
        const array = line && stripped(line.line);
        if (array?.kind === "ident") symbols.add(array.sym);
      },
    });
  return symbols;
}

/** Whether the condition takes cycles: an iteration can start only when it is known that there is one. */
function needsCycles(value: Value): boolean {
  return takesCycles(value) || value.args.some(needsCycles);
}

/** The directive declares the iterations independent. */
function isIndependent(s: LoopStmt): boolean {
  return (s.pragmas ?? []).some((p) => p.tokens[0]?.text === "arc" && p.tokens[1]?.text === "independent");
}
