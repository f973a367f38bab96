/** From a typed C unit with pragmas to the IR: directives become nodes around their statements. */
import { firstOf } from "../../checked/access.ts";
import type {
  Diagnostic,
  External,
  FunctionDef,
  Loc,
  Pragma,
  Stmt,
  TranslationUnit,
} from "../../lang/tree/ast.ts";
import { withBody } from "../../lang/tree/functions.ts";
import { AccFront } from "../acc/front.ts";
import { labelsUsed } from "../analysis/labels.ts";
import type { Construct, Front } from "../directives/front.ts";
import { type Around, Reading } from "../directives/read-state.ts";
import { Routines } from "../directives/routines.ts";
import { Allocations } from "../extents/allocations.ts";
import { withExtents } from "../extents/extents.ts";
import { makesHostThreads } from "../model/host-threads.ts";
import { extStmt, type IrNode } from "../model/ir.ts";
import type { Program } from "../model/program.ts";
import { OmpFront } from "../omp/front.ts";
import { checkedOnHost } from "../omp/host/checked.ts";
import { inTheirOrder } from "../omp/host/loop-orders.ts";
import { alignedAlone, inOlderWords, type Older } from "../omp/host/newer.ts";
import { withoutVariantBlocks } from "../omp/selectors/variant-blocks.ts";
import { TaskFront } from "../ompss/front.ts";
import { environmentLeft, readsEnvironment } from "./environment.ts";
import { foreignDeviceTypes } from "./foreign-header.ts";
import { hiddenIn, inExpression, nestedFunction } from "./hidden.ts";
import { implicitRoutines } from "./implicit-routines.ts";
import { membersLeft } from "./members-left.ts";
import { misspelledDirective } from "./misspelled.ts";
import { withPointedCalls } from "./pointed-calls.ts";
import { unreadDirective } from "./unread.ts";

/**
 * Reads every directive of a unit. Statements without directives stay the same objects. `honoured`: the C compiler will
 * implement OpenMP's directives for the host's threads.
 */
export function readDirectives(written: TranslationUnit, honoured = false): Program {
  const plain = withoutVariantBlocks(written);
  const ordered = inTheirOrder(plain.unit);
  const older: Older = honoured ? inOlderWords(ordered.unit) : alignedAlone(ordered.unit);
  const { unit } = older;
  const reading = new Reading(unit.externals);
  reading.diagnostics.push(
    ...[plain, ordered, older].flatMap(({ diagnostics }) => diagnostics),
    ...foreignDeviceTypes(unit.scope),
  );
  const routines = new Routines(reading);
  const tasks = new TaskFront(reading, unit.externals, honoured);
  const fronts = [new AccFront(reading, routines), tasks, new OmpFront(reading, routines, unit, honoured)];
  const walk = new Walk(reading, fronts, new Allocations(unit));
  walk.restated = plain.at ?? ordered.at ?? older.at;
  const externals = walk.externals(unit.externals);
  reading.diagnostics.push(...environmentLeft(walk.environment, externals));
  if (!reading.sharedRequired) reading.diagnostics.push(...membersLeft(unit, externals, routines.found));
  const hostThreads = walk.hostThreads ?? tasks.unshared;
  return withPointedCalls({
    unit: { ...unit, externals },
    routines: new Map([...routines.found, ...implicitRoutines(externals, routines.found)]),
    ...(tasks.functions.size > 0 && { taskFunctions: tasks.functions }),
    declares: reading.declares,
    diagnostics: reading.diagnostics,
    ...(reading.sharedRequired && { sharedRequired: reading.sharedRequired }),
    ...(hostThreads && { hostThreads }),
    ...(walk.restated && { restated: walk.restated }),
    ...(walk.unread.size > 0 && { unread: walk.unread }),
  });
}

/** A directive and its context. */
interface Placed {
  readonly construct: Construct;
  readonly around: Around;
}

class Walk {
  /** Of the pragmas passed over, the first that creates host threads. */
  hostThreads: Pragma | undefined;
  /** The first that says that the program reads or sets the floating-point environment. */
  environment: Pragma | undefined;
  /** Where host code has other statements than the file. */
  restated: Loc | undefined;
  /** Directives that neither arc nor the C compiler is to read. */
  readonly unread = new Set<Pragma>();
  private readonly reading: Reading;
  private readonly fronts: readonly Front[];
  private readonly allocations: Allocations;

  /** For the function being read. */
  private isUsed: (label: string) => boolean = () => true;

  constructor(reading: Reading, fronts: readonly Front[], allocations: Allocations) {
    this.reading = reading;
    this.fronts = fronts;
    this.allocations = allocations;
  }

  externals(externals: readonly External[]): External[] {
    const result: External[] = [];
    for (const external of externals) {
      const owner = external.kind === "pragma" ? this.owner(external, {}, [external]) : undefined;
      if (external.kind === "pragma" && owner) {
        owner.atFileScope(external, externals);
        if (owner.isOfHostToo?.(external)) result.push(external);
        continue;
      }
      if (external.kind === "pragma") this.passOver(external);
      for (const front of this.fronts) front.declared(external);
      result.push(external.kind === "function" ? this.functionDef(external) : external);
    }
    for (const front of this.fronts) front.declared(undefined);
    return result;
  }

  private owner(pragma: Pragma, around: Around, beside: readonly Pragma[]): Front | undefined {
    return this.fronts.find((front) => front.owns(pragma, around, beside));
  }

  /** Handles a pragma that no front end owns. */
  private passOver(pragma: Pragma): void {
    if (readsEnvironment(pragma)) this.environment ??= pragma;
    const misspelled = misspelledDirective(pragma);
    this.reading.diagnostics.push(...misspelled);
    this.reading.diagnostics.push(...checkedOnHost(pragma, this.reading.hostThreads));
    if (this.reading.around.ofCallers || misspelled.length > 0) return;
    if (this.hostThreads === undefined && makesHostThreads(pragma)) this.hostThreads = pragma;
  }

  private functionDef(def: FunctionDef): FunctionDef {
    for (const pragma of def.pragmas ?? []) {
      const owner = this.owner(pragma, {}, def.pragmas ?? []);
      if (owner) owner.ofFunction(pragma, def);
      else this.passOver(pragma);
    }
    this.reading.around = Object.assign({}, ...this.fronts.map((front) => front.aroundBody(def)));
    this.isUsed = labelsUsed(def.body);
    const declared = new Set(this.reading.declares.flatMap((d) => d.items.map((i) => i.sym)));
    const read = withExtents(def, this.stmt(def.body), this.allocations, declared);
    const { body } = read;
    this.reading.diagnostics.push(...read.remarks, ...this.hidden(def, body !== def.body));
    this.reading.around = {};
    return withBody(def, body);
  }

  /** Nested functions stay with the C compiler, unless they or the function around them have code for devices. */
  private hidden(def: FunctionDef, hasRegions: boolean): readonly Diagnostic[] {
    const { nested, inExpressions } = hiddenIn(def.body);
    const unread = inExpressions.flatMap((pragmas) =>
      pragmas.flatMap((pragma) => {
        if (this.owner(pragma, {}, pragmas)) return [inExpression(pragma)];
        this.passOver(pragma);
        return [];
      }),
    );
    const refused = nested.filter((f) => hasRegions || this.stmt(f.body) !== f.body);
    return [...refused.map((f) => nestedFunction(f, def)), ...unread];
  }

  private stmt(s: Stmt): Stmt {
    const list = this.stmts(s);
    if (list.length === 1) return firstOf(list);
    return { kind: "compound", body: list, span: s.span };
  }

  /** The body of an `if`, a loop or a switch. */
  private controlled(s: Stmt): Stmt {
    const beside = s.pragmas ?? [];
    for (const pragma of beside) {
      const front = this.owner(pragma, this.reading.around, beside);
      if (!front) continue;
      const seen = front.glance(pragma);
      if (seen?.extent !== "standalone") break;
      this.reading.report(
        "standalone-as-body",
        seen.directive.loc,
        `'${seen.directive.name}' stands where the body of an 'if', a loop or a switch is expected`,
        "put braces around the directive and the statements that belong to the body",
      );
    }
    return this.stmt(s);
  }

  /** A statement and the standalone directives before it. A label that is never jumped to is dropped. */
  private stmts(s: Stmt): Stmt[] {
    for (const front of this.fronts) {
      const restated = front.restated?.(s, this.reading.around);
      if (!restated) continue;
      this.noteRestated(s);
      return restated.flatMap((one) => this.stmts(one));
    }
    const beside = s.pragmas ?? [];
    if (s.kind === "label" && !this.isUsed(s.name)) {
      const pragmas = [...beside, ...(s.body.pragmas ?? [])];
      return this.stmts(pragmas.length > 0 ? { ...s.body, pragmas } : s.body);
    }
    if (beside.length === 0) return this.undirected(s);
    const outside = this.reading.around;
    const read: Placed[] = [];
    const others: Pragma[] = [];
    for (const pragma of beside) {
      const { around } = this.reading;
      const front = this.owner(pragma, around, beside);
      if (!front) {
        const found = unreadDirective(pragma, beside);
        this.reading.diagnostics.push(...found);
        if (found.length > 0) this.unread.add(pragma);
        else {
          this.passOver(pragma);
          others.push(pragma);
        }
        continue;
      }
      const construct = front.construct(pragma);
      if (!construct) continue;
      read.push({ construct, around });
      this.reading.around = construct.inside(around, s);
    }
    if (others.length === beside.length) return this.undirected(s);
    const { pragmas: _, ...rest } = s;
    const plain = others.length ? { ...rest, pragmas: others } : rest;
    const holder = isHolder(s);
    let list: Stmt[] = holder ? [] : this.undirected(plain);
    for (const { construct, around } of read.toReversed()) {
      this.reading.around = around;
      list = this.bind(construct, list, holder ? undefined : plain);
    }
    this.reading.around = outside;
    return list;
  }

  /** A statement whose directives are read elsewhere, if it has any. */
  private undirected(s: Stmt): Stmt[] {
    for (const front of this.fronts) {
      const out = front.writtenOut?.(s, this.reading.around);
      if (!out) continue;
      const steps = out.steps.map((step) => ("as" in step ? step.as : step.finish(this.stmt(step.read))));
      const list = [...steps, ...(out.rest ? [this.children(out.rest)] : [])];
      return out.own && list.length > 1 ? [{ kind: "compound", body: list, span: s.span }] : list;
    }
    return [this.children(s)];
  }

  /** Records that host code differs from the file, if this is host code. */
  private noteRestated(s: Stmt): void {
    if (!this.reading.around.region) this.restated ??= s.span.start;
  }

  private grouped(s: Stmt & { readonly kind: "compound" }): readonly Stmt[] {
    for (const front of this.fronts) {
      const groupedBody = front.grouped?.(s.body);
      if (!groupedBody) continue;
      this.noteRestated(s);
      return groupedBody;
    }
    return s.body;
  }

  private children(s: Stmt): Stmt {
    switch (s.kind) {
      case "compound": {
        const body = this.grouped(s).flatMap((child) => this.stmts(child));
        return body.length === s.body.length && body.every((b, i) => b === s.body[i]) ? s : { ...s, body };
      }
      case "if": {
        const then = this.controlled(s.then);
        const other = s.else && this.controlled(s.else);
        return then === s.then && other === s.else ? s : { ...s, then, ...(other && { else: other }) };
      }
      case "for":
      case "while":
      case "do":
      case "switch": {
        const body = this.controlled(s.body);
        return body === s.body ? s : ({ ...s, body } as Stmt);
      }
      case "label":
      case "case": {
        const body = this.stmt(s.body);
        return body === s.body ? s : ({ ...s, body } as Stmt);
      }
      default:
        return s;
    }
  }

  /** Binds a directive to the statements that follow it; `source` is the first of them as written. */
  private bind(construct: Construct, after: Stmt[], source: Stmt | undefined): Stmt[] {
    const { directive, extent } = construct;
    const { start } = directive.span;
    if (extent === "standalone" || extent === "declarative") {
      const ext = construct.standalone();
      if (!ext) return after;
      return [isNode(ext) ? extStmt(ext, directive.span) : ext, ...after];
    }
    const [body, ...rest] = after;
    if (!body) {
      this.reading.report(
        "missing-statement",
        directive.loc,
        `'${directive.name}' is not followed by a statement`,
        "put it directly before the statement or block it applies to",
      );
      return after;
    }
    if (body.kind === "decl") {
      this.reading.report(
        "expected-statement",
        directive.loc,
        `'${directive.name}' is followed by a declaration, not by a statement`,
        "move the declaration before the directive, or put both into braces",
      );
      return after;
    }
    const ext = construct.construct(body, source ?? body);
    if (!ext) return after;
    return [isNode(ext) ? extStmt(ext, { start, end: body.span.end }) : ext, ...rest];
  }
}

/** Whether a statement is not in the text, and only holds the directives at the end of a block. */
const isHolder = ({ kind, span: { start, end }, ...rest }: Stmt): boolean =>
  kind === "expr" && !("expr" in rest && rest.expr) && start.line === end.line && start.col === end.col;

const isNode = (built: IrNode | Stmt): built is IrNode => "shape" in built;
