/**
 * OpenMP's device constructs in the walk over a unit. The host's own directives (`parallel for`, `task`) stay pragmas
 * for the C compiler; inside regions, and in functions that regions call, arc reads every directive.
 */
import type {
  Diagnostic,
  External,
  FunctionDef,
  Pragma,
  Stmt,
  TranslationUnit,
} from "../../lang/tree/ast.ts";
import { type Clause, clause, type Directive } from "../directives/directive.ts";
import type { Construct, Front, WrittenOut } from "../directives/front.ts";
import type { Around, Reading } from "../directives/read-state.ts";
import { Reductions } from "../directives/reductions.ts";
import type { Routines } from "../directives/routines.ts";
import { isOfDispatch } from "../model/host-threads.ts";
import { extStmt, type IrNode } from "../model/ir.ts";
import { inside } from "./around.ts";
import { checkDirective } from "./check.ts";
import { compute } from "./compute.ts";
import { defaultDevice, move, region } from "./data.ts";
import { DeclareTarget } from "./declare-target.ts";
import { deviceFunctions, hostCalls, offloads, regionsOf } from "./device-functions.ts";
import { isOmp, parseDirective, parseMapper, ruleOf } from "./directive/parse.ts";
import { checkDevice, noteHints } from "./hints.ts";
import { simdWithCopies } from "./host/simd-copies.ts";
import { isMapper, Mappers } from "./map/mappers.ts";
import { GroupPrivate } from "./own/group-private.ts";
import { DeclaredReductions, ofProgram } from "./own/reductions.ts";
import { atomic, flush } from "./parallel/atomics.ts";
import { warnInConcurrent } from "./parallel/close-nesting.ts";
import { Locks } from "./parallel/critical.ts";
import { errorDirective, isCompileError } from "./parallel/error-directive.ts";
import { sectionsLoop } from "./parallel/sections.ts";
import { hasShuffle, refusedOnHost, shuffle, withCopies } from "./parallel/shuffle.ts";
import { task } from "./parallel/tasks.ts";
import { barrier, ofOneThread, scope } from "./parallel/threads.ts";
import { WrittenOutFunctions } from "./parallel/written-out.ts";
import { ReshapedLoops } from "./reshaped-loops.ts";
import { contextOf } from "./selectors/context.ts";
import { dispatched } from "./selectors/dispatch.ts";
import { interoperating } from "./selectors/interop.ts";
import { chosenAtRun, grouped, meant } from "./selectors/metadirective.ts";
import { isByTarget, isVariant, type Variants, variantsOf } from "./selectors/variants.ts";
import { KnownSizes } from "./sizes/known-sizes.ts";

/** Directives about the device, wherever they appear; OpenMP 6.0 writes some with an underscore, which is refused. */
const ofDevice =
  /^(target(_\w+)?|(begin |end )?declare[ _](target|variant)|declare[ _]mapper|requires|(begin|end) metadirective|shuffle|groupprivate)\b/;

export class OmpFront implements Front {
  private readonly reading: Reading;
  private readonly reductions: Reductions;
  private readonly declareTarget: DeclareTarget;
  private readonly onDevice: ReadonlySet<FunctionDef>;
  private readonly writtenOutFunctions: WrittenOutFunctions;
  private readonly variants: Variants;
  private readonly locks: Locks;
  private readonly declaredReductions: DeclaredReductions;
  private readonly groupPrivate: GroupPrivate;
  private readonly mappers: Mappers;
  private readonly sizes: KnownSizes;
  private readonly loops: ReshapedLoops;
  /** Statements of `section` directives. */
  private readonly sections = new WeakSet<Stmt>();
  /** The function that is read. */
  private def: FunctionDef | undefined;
  /** `requires atomic_default_mem_order`: the memory order of atomics without one. */
  private allOrdered = false;

  constructor(reading: Reading, routines: Routines, unit: TranslationUnit, hostThreads: boolean) {
    this.reading = reading;
    this.reductions = new Reductions(reading, false);
    this.loops = new ReshapedLoops(reading);
    this.declareTarget = new DeclareTarget(reading, routines);
    this.groupPrivate = new GroupPrivate(reading);
    this.locks = new Locks(reading);
    this.sizes = new KnownSizes(unit);
    this.declaredReductions = new DeclaredReductions(reading, unit);
    this.mappers = new Mappers(reading, unit, (pragma) => {
      const { directive, diagnostics } = parseMapper(pragma);
      reading.diagnostics.push(...diagnostics);
      return directive;
    });
    this.variants = variantsOf(unit.externals, hostThreads);
    this.onDevice = deviceFunctions(unit, this.variants);
    this.writtenOutFunctions = new WrittenOutFunctions(
      this.onDevice,
      regionsOf(unit),
      hostCalls(unit, this.onDevice),
    );
    reading.hostThreads = hostThreads;
    reading.defaultDevice = defaultDevice(unit);
  }

  /** If OpenACC offloads the same statement, its directive is read instead. */
  owns(written: Pragma, around: Around, beside: readonly Pragma[]): boolean {
    if (!isOmp(written)) return false;
    if (around.region === "omp") return true;
    const { pragma, diagnostics } = meant(written, contextOf(around));
    if (!pragma) return diagnostics.length > 0;
    const words = pragma.tokens
      .slice(1, 4)
      .map((t) => t.text)
      .join(" ");
    if (!this.reading.hostThreads && isCompileError(pragma)) return true;
    return (ofDevice.test(words) || hasShuffle(pragma)) && !(offloads(pragma) && beside.some(isAccCompute));
  }

  restated(s: Stmt, around: Around): readonly Stmt[] | undefined {
    if (!s.pragmas) return this.onHost(s, around);
    const context = contextOf(around);
    const complain = (found: Diagnostic): void => void this.reading.diagnostics.push(found);
    const one =
      chosenAtRun(s, context) ??
      dispatched(s, this.variants, context, complain) ??
      (this.def && !around.region && !this.reading.hostThreads ? simdWithCopies(s, this.def) : undefined);
    if (one) return [one];
    return this.onHost(s, around) ?? (around.region ? undefined : interoperating(s, complain));
  }

  /** A statement whose own expressions no region holds, with the calls that the program's device selects. */
  private onHost(s: Stmt, around: Around): readonly Stmt[] | undefined {
    const { pragmas = [] } = s;
    if (around.region || pragmas.some((p) => p.tokens[0]?.text === "acc" || this.owns(p, around, pragmas)))
      return undefined;
    const found = this.variants.onHost(s);
    return found && [found];
  }

  grouped(list: readonly Stmt[]): readonly Stmt[] | undefined {
    return grouped(list);
  }

  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined {
    if (isMapper(pragma)) return undefined;
    const { pragma: selected } = meant(pragma, contextOf(this.reading.around));
    const { directive } = selected ? parseDirective(selected) : {};
    return directive && { directive, extent: extentOf(directive) };
  }

  atFileScope(pragma: Pragma, externals: readonly External[]): void {
    if (isVariant(pragma) || isMapper(pragma)) return;
    const d = this.directive(pragma);
    if (!d) return;
    if (d.name === "groupprivate") this.groupPrivate.declare(d, externals);
    else if (d.name.endsWith("declare target")) this.declareTarget.directive(d, externals);
    else if (d.name === "requires") {
      if (clause(d, "unified_shared_memory") || clause(d, "self_maps"))
        this.reading.sharedRequired ??= { loc: d.loc, what: "requires unified_shared_memory" };
      this.allOrdered ||= ["seq_cst", "acq_rel"].includes(
        clause(d, "atomic_default_mem_order")?.names[0] ?? "",
      );
    } else if (d.name === "error" && isCompileError(pragma)) void errorDirective(this.reading, d);
    else
      this.reading.report(
        "directive-outside-function",
        d.loc,
        `'${d.name}' must stand inside a function`,
        "move it into the function that is to execute it",
      );
  }

  isOfHostToo(pragma: Pragma): boolean {
    return isVariant(pragma) && !isOfDispatch(pragma) && !isByTarget(pragma);
  }

  ofFunction(pragma: Pragma, def: FunctionDef): void {
    this.atFileScope(pragma, [def]);
  }

  declared(external: External | undefined): void {
    this.declareTarget.declared(external);
    if (external) return;
    this.groupPrivate.refuseIn([...this.onDevice].filter((def) => !this.writtenOutFunctions.has(def)));
    this.reading.diagnostics.push(...this.variants.complaints());
  }

  writtenOut(s: Stmt, { region, omp }: Around): WrittenOut | undefined {
    return region === "omp" && !omp?.routine ? this.writtenOutFunctions.in(s) : undefined;
  }

  aroundBody(def: FunctionDef): Around {
    this.def = def;
    if (this.writtenOutFunctions.has(def))
      return this.writtenOutFunctions.isOfHost(def) ? {} : { ofCallers: true };
    if (this.onDevice.has(def)) this.variants.inFunction(def.body);
    return this.onDevice.has(def) ? { region: "omp", omp: { routine: true } } : {};
  }

  construct(pragma: Pragma): Construct | undefined {
    if (isMapper(pragma)) return undefined;
    const d = this.directive(pragma);
    if (!d || refusedOnHost(this.reading, d)) return undefined;
    warnInConcurrent(this.reading, d);
    return {
      directive: d,
      extent: extentOf(d),
      inside: (around, source) => inside(around, d, source),
      construct: (body, source) => this.node(d, body, source),
      standalone: () => this.standalone(d),
    };
  }

  private directive(written: Pragma): Directive | undefined {
    const { pragma, diagnostics: ofContext } = meant(written, contextOf(this.reading.around));
    this.reading.diagnostics.push(...ofContext);
    if (!pragma) return undefined;
    const { directive: found, diagnostics } = parseDirective(pragma);
    this.reading.diagnostics.push(...diagnostics);
    const directive = found && this.mappers.in(this.declaredReductions.in(this.sizes.in(found)));
    // If a clause was rejected, errors about clauses missing beside it would be misleading.
    if (!directive || diagnostics.some((found) => found.severity === "error")) return directive;
    checkDevice(this.reading, directive);
    noteHints(this.reading, directive);
    this.reading.diagnostics.push(...checkDirective(directive, this.reading.keepsSize));
    return directive;
  }

  private node(d: Directive, written: Stmt, source: Stmt): IrNode | Stmt | undefined {
    const { reading, reductions } = this;
    const around = inside(reading.around, d, source);
    const together = (combine: Stmt): Stmt | undefined => this.together(d, combine);
    const body = around.region === "omp" ? this.variants.inCode(written, contextOf(around)) : written;
    if (d.name === "target data") return region(reading, d, body, source);
    switch (d.name) {
      case "single":
      case "master":
      case "masked":
        return ofOneThread({ reading, reductions, around: reading.around, together }, d, body, source);
      case "scope":
        return scope({ reading, reductions, around: reading.around, together }, d, body, source);
      case "critical":
        return this.locks.critical(d, body, reading.around);
      case "sections":
        return sectionsLoop(
          reductions,
          reading.around,
          d,
          body,
          source,
          (s) => this.sections.has(s),
          together,
        );
      case "section": {
        const marked = { ...body };
        this.sections.add(marked);
        return marked;
      }
      case "task":
      case "taskloop":
      case "taskloop simd":
        return task(reading, d, body);
      case "master taskloop":
      case "master taskloop simd":
      case "masked taskloop":
      case "masked taskloop simd":
        return this.taskloopOfOne(d, body, source, reading.around);
      case "parallel master taskloop":
      case "parallel master taskloop simd":
      case "parallel masked taskloop":
      case "parallel masked taskloop simd":
        return this.ofThreads(
          d,
          d.clauses.map((c) => c.name).filter((name) => name !== "num_threads" && name !== "proc_bind"),
          (inner) => this.taskloopOfOne(inner, body, source, around),
          source,
        );
      // The thread that reaches one of these runs its body in place.
      case "taskgroup":
      case "taskgraph":
      case "ordered":
      case "assume":
        return body;
      case "unroll":
        return this.loops.unrolled(d, body);
      case "tile":
        return this.loops.tiled(d, body);
      case "atomic":
        return atomic(reading, d, body, source, this.allOrdered);
      case "parallel sections":
        return this.ofThreads(
          d,
          ["lastprivate", "private", "firstprivate", "reduction", ofProgram],
          (inner) =>
            extStmt(
              sectionsLoop(reductions, around, inner, body, source, (s) => this.sections.has(s), together),
              body.span,
            ),
          source,
        );
      case "parallel master":
      case "parallel masked":
        return this.ofThreads(
          d,
          ["filter"],
          (inner) => ofOneThread({ reading, reductions, around, together }, inner, body, source),
          source,
        );
      default:
        return this.compute(d, body, source);
    }
  }

  /** `masked taskloop`: the thread that would create the loop's tasks runs them itself. */
  private taskloopOfOne(d: Directive, body: Stmt, source: Stmt, around: Around): Stmt | undefined {
    const { reading, reductions } = this;
    const isFilter = (c: Clause): boolean => c.name === "filter";
    const loop = task(reading, { ...d, clauses: d.clauses.filter((c) => !isFilter(c)) }, body);
    const together = (combine: Stmt): Stmt | undefined => this.together(d, combine);
    const one = { ...d, clauses: d.clauses.filter(isFilter) };
    return loop && ofOneThread({ reading, reductions, around, together }, one, loop, source);
  }

  private compute(asked: Directive, code: Stmt, source: Stmt): IrNode | Stmt | undefined {
    const { reading, reductions } = this;
    const whole = this.groupPrivate.within(asked, code);
    const { d: meant, body } = this.loops.shared(asked, whole);
    const d = withCopies(meant, reading.around);
    const declared = (sym: Parameters<DeclareTarget["has"]>[0]) => this.declareTarget.has(sym);
    const locks = (sym: Parameters<DeclareTarget["has"]>[0]) => this.locks.has(sym);
    const together = (combine: Stmt): Stmt | undefined => this.together(d, combine);
    const mappers = this.mappers;
    return compute(
      { reading, reductions, around: reading.around, declared, locks, together, mappers },
      d,
      body,
      source,
    );
  }

  /** Code after a construct that one thread runs at a time. */
  private together(d: Directive, combine: Stmt): Stmt | undefined {
    const { argument: _, ...unnamed } = d;
    return this.locks.critical(unnamed, combine, this.reading.around);
  }

  /** `parallel` combined with a construct for its threads, to which some of the clauses belong. */
  private ofThreads(
    d: Directive,
    own: readonly string[],
    inner: (d: Directive) => Stmt | undefined,
    source: Stmt,
  ): IrNode | Stmt | undefined {
    const isOwn = d.clauses.filter((c) => own.includes(c.name));
    const body = inner({ ...d, name: d.name, clauses: isOwn });
    const rest = d.clauses.filter((c) => !isOwn.includes(c));
    return body && this.compute({ ...d, name: "parallel", clauses: rest }, body, source);
  }

  private standalone(d: Directive): IrNode | Stmt | undefined {
    if (d.name === "barrier") return barrier(this.reading, d);
    if (ruleOf(d).exchange) return shuffle(this.reading, d);
    if (d.name === "flush") return flush(this.reading, d);
    if (d.name === "error") return errorDirective(this.reading, d);
    // Tasks run in place, cancellation is off unless the environment enables it, and `scan` splits a loop that one
    // thread runs.
    if (/^(task(wait|yield)|cancel|scan|ordered|nothing|allocate)/.test(d.name)) return undefined;
    if (ruleOf(d).extent === "standalone") return move(this.reading, d);
    this.reading.report(
      "directive-inside-function",
      d.loc,
      `'${d.name}' stands inside a function`,
      "move it before the function",
    );
    return undefined;
  }
}

/** An `ordered` that only states dependences has no statement. */
const extentOf = (d: Directive) =>
  d.name === "ordered" && (clause(d, "depend") || clause(d, "doacross")) ? "standalone" : ruleOf(d).extent;

/** `acc parallel`, `acc kernels` and `acc serial`, with or without a loop. */
function isAccCompute({ tokens }: Pragma): boolean {
  const [space, name] = tokens.map((t) => t.text);
  return space === "acc" && ["parallel", "kernels", "serial"].includes(name ?? "");
}
