/** From a typed C unit with OpenACC pragmas to the IR: directives become nodes around their statements. */
import type {
  DeclStmt,
  Diagnostic,
  Expr,
  External,
  ForStmt,
  FunctionDef,
  Pragma,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../../lang/ast.ts";
import { canonical, evaluateInteger } from "../../lang/index.ts";
import { usesOf } from "../access.ts";
import { countedHeader } from "../counted.ts";
import { elementUpdates } from "../elements.ts";
import {
  type Async,
  type Cache,
  type DataItem,
  type DataMove,
  type DataRegion,
  type Declare,
  type DeviceControl,
  extStmt,
  type HostData,
  type IrNode,
  type Level,
  type Loop,
  type LoopHeader,
  type Mapping,
  node,
  type Reduction,
  type Site,
  type Spmd,
  type Sync,
  type Task,
  type WaitList,
} from "../ir.ts";
import type { Program, Routine } from "../program.ts";
import { readAtomic } from "./atomic.ts";
import { checkDirective } from "./check.ts";
import { directives } from "./grammar.ts";
import { type Clause, type Directive, isAcc, parseDirective, type VarRef } from "./parse.ts";

/** Reads every directive of a unit. Statements without directives are the same objects as before. */
export function readAcc(unit: TranslationUnit): Program {
  const reader = new Reader();
  const externals = reader.externals(unit.externals);
  return {
    unit: { ...unit, externals },
    routines: reader.routines,
    declares: reader.declares,
    diagnostics: reader.diagnostics,
  };
}

const mappings: Readonly<Record<string, Mapping>> = {
  copy: "tofrom",
  copyin: "to",
  copyout: "from",
  create: "allocate",
  present: "present",
  no_create: "no-create",
  deviceptr: "deviceptr",
  pipe: "allocate",
  pipein: "present",
  pipeout: "present",
  attach: "attach",
  detach: "detach",
  delete: "delete",
  device_resident: "device-resident",
  link: "link",
};

/** What the constructs around a statement decide for it. */
interface Around {
  readonly construct?: Task["construct"];
  readonly defaultData?: "none" | "present";
}

type Queueing = { async?: Async; wait?: WaitList; condition?: Expr };

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly routines = new Map<Symbol, Routine>();
  readonly declares: Declare[] = [];
  private around: Around = {};
  /** Arrays in reduction clauses since the last compute construct. */
  private arraysReduced: VarRef[] = [];
  /** Those whose elements are not only combined: each lane would need a copy of its own. */
  private arraysUsed: VarRef[] = [];

  // -------------------------------------------------------------- file scope

  externals(externals: readonly External[]): External[] {
    const result: External[] = [];
    let routine: Directive | undefined;
    for (const external of externals) {
      if (external.kind === "pragma" && isAcc(external)) {
        const directive = this.directive(external);
        if (directive?.name === "routine" && !directive.argument) routine = directive;
        else if (directive) this.fileDirective(directive, externals);
        continue;
      }
      if (routine) this.attachRoutine(routine, external);
      routine = undefined;
      result.push(external.kind === "function" ? this.functionDef(external) : external);
    }
    if (routine) this.attachRoutine(routine, undefined);
    return result;
  }

  private fileDirective(directive: Directive, externals: readonly External[]): void {
    if (directive.name === "declare") this.declares.push(this.declare(directive));
    else if (directive.name === "routine") this.namedRoutines(directive, externals);
    else
      this.report(
        "directive-outside-function",
        directive.loc,
        `'${directive.name}' must stand inside a function`,
        "move it into the function that is to execute it",
      );
  }

  private namedRoutines(directive: Directive, externals: readonly External[]): void {
    const { argument, pragma } = directive;
    for (const name of argument?.names ?? []) {
      const sym = pragma.scope.lookup(name) ?? laterFunction(externals, name);
      if (sym?.kind === "function") this.addRoutine(sym, directive);
      else
        this.report(
          "not-a-function",
          pragma.tokens.find((t) => t.text === name)?.loc ?? directive.loc,
          `'${name}' is not a function declared here`,
          "declare it before the directive",
        );
    }
  }

  private attachRoutine(directive: Directive, external: External | undefined): void {
    const sym =
      external?.kind === "function"
        ? external.sym
        : external?.kind === "decl"
          ? external.decls[0]?.sym
          : undefined;
    if (sym?.kind === "function") this.addRoutine(sym, directive);
    else
      this.report(
        "routine-without-function",
        directive.loc,
        "'routine' is not followed by a function",
        "put it directly before the function, or name the function: routine(f)",
      );
  }

  private addRoutine(sym: Symbol, directive: Directive): void {
    const level = (["gang", "worker", "vector", "seq"] as const).find((l) => clause(directive, l)) ?? "seq";
    const bind = clause(directive, "bind")?.names[0];
    const known = this.routines.get(sym);
    if (known && known.level !== level)
      this.report(
        "routine-level-differs",
        directive.loc,
        `'${sym.name}' is a '${level}' routine here and a '${known.level}' routine at line ${known.loc.line}`,
        "write the same clause on every routine directive of a function",
      );
    this.routines.set(sym, { sym, level, ...(bind && { bind }), loc: directive.loc });
  }

  private functionDef(def: FunctionDef): FunctionDef {
    for (const pragma of def.pragmas ?? []) {
      const directive = isAcc(pragma) ? this.directive(pragma) : undefined;
      if (directive?.name === "routine") this.addRoutine(def.sym, directive);
    }
    const body = this.stmt(def.body);
    if (body === def.body) return def;
    const result = { ...def, body: body as FunctionDef["body"] };
    if (def.sym.definition === def) def.sym.definition = result;
    return result;
  }

  // -------------------------------------------------------------- statements

  private stmt(s: Stmt): Stmt {
    const list = this.stmts(s);
    if (list.length === 1) return list[0] as Stmt;
    return { kind: "compound", body: list, span: s.span };
  }

  /** The statement that an `if`, a loop or a switch controls. */
  private controlled(s: Stmt): Stmt {
    for (const pragma of s.pragmas?.filter(isAcc) ?? []) {
      const { directive } = parseDirective(pragma);
      if (!directive || directives[directive.name]?.extent !== "standalone") break;
      this.report(
        "standalone-as-body",
        directive.loc,
        `'${directive.name}' stands where the body of an 'if', a loop or a switch is expected`,
        "put braces around the directive and the statements that belong to the body",
      );
    }
    return this.stmt(s);
  }

  /** A statement and the standalone directives before it. */
  private stmts(s: Stmt): Stmt[] {
    const pragmas = s.pragmas?.filter(isAcc) ?? [];
    if (pragmas.length === 0) return [this.children(s)];
    const others = s.pragmas?.filter((p) => !isAcc(p)) ?? [];
    const { pragmas: _, ...rest } = s;
    const plain = (others.length ? { ...rest, pragmas: others } : rest) as Stmt;
    const holder =
      s.kind === "expr" &&
      !s.expr &&
      s.span.start.line === s.span.end.line &&
      s.span.start.col === s.span.end.col;
    const read = pragmas.flatMap((pragma) => this.directive(pragma) ?? []);
    const { around } = this;
    this.around = read.reduce(inside, around);
    let list: Stmt[] = holder ? [] : [this.children(plain)];
    for (let k = read.length - 1; k >= 0; k--) {
      this.around = read.slice(0, k).reduce(inside, around);
      list = this.bind(read[k] as Directive, list, holder ? undefined : plain);
    }
    this.around = around;
    return list;
  }

  private children(s: Stmt): Stmt {
    switch (s.kind) {
      case "compound": {
        const body = s.body.flatMap((child) => this.stmts(child));
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

  private directive(pragma: Pragma): Directive | undefined {
    const { directive, diagnostics } = parseDirective(pragma);
    this.diagnostics.push(...diagnostics);
    // With a clause missing because it is wrong, what the others lack means nothing.
    if (directive && diagnostics.every((d) => d.severity !== "error"))
      this.diagnostics.push(...checkDirective(directive));
    return directive;
  }

  /** Binds a directive to the statements that follow it; `source` is the first of them as written. */
  private bind(directive: Directive, after: Stmt[], source: Stmt | undefined): Stmt[] {
    const rule = directives[directive.name] as (typeof directives)[string];
    const at = (ext: IrNode, body?: Stmt): Stmt =>
      extStmt(ext, body ? { start: directive.span.start, end: body.span.end } : directive.span);
    if (rule.extent === "standalone" || rule.extent === "declarative") {
      const ext = this.standalone(directive);
      return ext ? [at(ext), ...after] : after;
    }
    const [body, ...rest] = after;
    if (!body) {
      this.report(
        "missing-statement",
        directive.loc,
        `'${directive.name}' is not followed by a statement`,
        "put it directly before the statement or block it applies to",
      );
      return after;
    }
    if (body.kind === "decl") {
      this.report(
        "expected-statement",
        directive.loc,
        `'${directive.name}' is followed by a declaration, not by a statement`,
        "move the declaration before the directive, or put both into braces",
      );
      return after;
    }
    const ext = this.construct(directive, body, source ?? body);
    return ext ? [at(ext, body), ...rest] : after;
  }

  private construct(d: Directive, body: Stmt, source: Stmt): IrNode | undefined {
    switch (d.name) {
      case "parallel":
      case "serial":
      case "kernels":
        return this.task(d, body, source);
      case "parallel loop":
      case "serial loop":
      case "kernels loop": {
        const loop = this.loop(d, body, source);
        return loop && this.task(d, extStmt(loop, body.span), source);
      }
      case "loop":
        return this.loop(d, body, source);
      case "data":
        return node<DataRegion>({
          kind: "data",
          site: site(d, source),
          ...this.queueing(d),
          items: this.items(d),
          body,
        });
      case "host_data": {
        const condition = clause(d, "if")?.exprs[0] as Expr | undefined;
        return node<HostData>({
          kind: "host-data",
          site: site(d, source),
          variables: d.clauses
            .filter((c) => c.name === "use_device")
            .flatMap((c) => c.vars.map((v) => v.sym)),
          ...(condition && { condition }),
          ifPresent: clause(d, "if_present") !== undefined,
          body,
        });
      }
      default: {
        const what = (["read", "write", "capture"] as const).find((w) => clause(d, w)) ?? "update";
        const atomic = readAtomic(what, body, site(d, source));
        if (!("severity" in atomic)) return atomic;
        this.diagnostics.push(atomic);
        return undefined;
      }
    }
  }

  private standalone(d: Directive): IrNode | undefined {
    const condition = clause(d, "if")?.exprs[0] as Expr | undefined;
    const common = { site: site(d), ...(condition && { condition }) };
    switch (d.name) {
      case "enter data":
      case "exit data":
        return node<DataMove>({
          kind: "data-move",
          what: d.name === "enter data" ? "enter" : "exit",
          site: site(d),
          ...this.queueing(d),
          items: this.items(d).map((i) =>
            clause(d, "finalize") ? { ...i, mapping: { ...i.mapping, finalize: true as const } } : i,
          ),
        });
      case "update":
        return node<DataMove>({
          kind: "data-move",
          what: "update",
          site: site(d),
          ...this.queueing(d),
          items: this.updateItems(d),
        });
      case "declare":
        return this.declare(d);
      case "cache":
        return node<Cache>({
          kind: "cache",
          site: site(d),
          items: (d.argument?.vars ?? []).map((v) => dataItem(v, "none", {})),
        });
      case "wait":
        return node<Sync>({
          kind: "sync",
          name: "wait",
          ...common,
          ...this.async(d),
          queues: (d.argument?.exprs ?? []) as Expr[],
        });
      case "barrier":
        return node<Sync>({ kind: "sync", name: "barrier", ...common, queues: [] });
      case "init":
      case "shutdown":
      case "set": {
        const deviceNum = clause(d, "device_num")?.exprs[0] as Expr | undefined;
        const defaultAsync = clause(d, "default_async")?.exprs[0] as Expr | undefined;
        const deviceType = clause(d, "device_type")?.names[0];
        return node<DeviceControl>({
          kind: "device-control",
          what: d.name,
          ...common,
          ...(deviceType && { deviceType }),
          ...(deviceNum && { deviceNum }),
          ...(defaultAsync && { defaultAsync }),
        });
      }
      case "routine":
        if (d.argument) this.namedRoutines(d, []);
        else this.attachRoutine(d, undefined);
        return undefined;
      default:
        return undefined;
    }
  }

  // -------------------------------------------------------------- compute constructs

  private task(d: Directive, body: Stmt, source: Stmt): Task {
    const vars = (name: string) => d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars);
    const size = (name: string) => this.selected(d, name)?.exprs[0] as Expr | undefined;
    const construct = d.name.split(" ")[0] as "parallel" | "kernels" | "serial";
    const combined = d.name.endsWith("loop");
    const self = clause(d, "self");
    const defaults = defaultOf(d) ?? this.around.defaultData;
    const { reductions, body: reduced } = combined ? { reductions: [], body } : this.reduced(d, body, source);
    const privates = combined ? [] : vars("private").map((v) => v.sym);
    const [arrays, inOrder] = this.takeArraysReduced(reduced, privates);
    const items = this.items(d);
    const mapped = new Set(items.map((i) => i.sym));
    const [teams, units, lanes] = [size("num_gangs"), size("num_workers"), size("vector_length")];
    const spmd = node<Spmd>({
      kind: "spmd",
      ...(teams && { numTeams: teams }),
      ...(units && { numUnits: units }),
      ...(lanes && { numLanes: lanes }),
      ...((construct === "serial" || inOrder) && { serial: true as const }),
      privates,
      firstprivates: vars("firstprivate").map((v) => v.sym),
      reductions,
      body: reduced,
    });
    return node<Task>({
      kind: "task",
      flavour: "offload",
      construct,
      site: site(d, source),
      ...this.queueing(d),
      ...(self && { self: (self.exprs[0] as Expr | undefined) ?? "always" }),
      items: [...items, ...arrays.filter((v) => !mapped.has(v.sym)).map((v) => dataItem(v, "tofrom", {}))],
      ...(defaults && { defaultData: defaults }),
      body: extStmt(spmd, body.span),
    });
  }

  /** The arrays of the program that a construct reduces; whether it must run in order for them. */
  private takeArraysReduced(body: Stmt, privates: readonly Symbol[]): readonly [readonly VarRef[], boolean] {
    const { declared } = usesOf(body);
    const named = new Map(this.arraysReduced.map((v) => [v.sym, v]));
    const arrays = [...named.values()].filter((v) => !declared.has(v.sym) && !privates.includes(v.sym));
    const used = this.arraysUsed;
    this.arraysReduced = [];
    this.arraysUsed = [];
    for (const v of used)
      this.diagnostics.push({
        severity: "warning",
        code: "serial-array-reduction",
        loc: v.loc,
        message: `the region runs serially: it does more with the array '${v.written}' than to reduce its elements`,
        why: "every lane would need a copy of the array",
        remedy: "only combine elements with the reduction's operator, each in a statement of its own",
      });
    return [arrays, used.length > 0];
  }

  /** The scalars that a directive reduces, and its body with the reductions of arrays as atomic updates. */
  private reduced(d: Directive, body: Stmt, source: Stmt): { reductions: Reduction[]; body: Stmt } {
    const arrays: { readonly op: Reduction["op"]; readonly ref: VarRef }[] = [];
    const reductions = this.reductions(d, (op, ref) => arrays.push({ op, ref }));
    // In order, elements are combined where they are.
    if (this.selected(d, "seq") || (d.name === "loop" && !this.around.construct)) return { reductions, body };
    this.arraysReduced.push(...arrays.map(({ ref }) => ref));
    let made = body;
    for (const { op, ref } of arrays) {
      const updates = elementUpdates(made, ref.sym, op, site(d, source));
      if (updates) made = updates;
      else this.arraysUsed.push(ref);
    }
    return { reductions, body: made };
  }

  private reductions(d: Directive, array: (op: Reduction["op"], ref: VarRef) => void): Reduction[] {
    return d.clauses
      .filter((c) => c.name === "reduction")
      .flatMap((c) =>
        c.vars.flatMap((v) => {
          const type = canonical(v.sym.type);
          const integerOnly = ["&", "|", "^"].includes(c.op as string);
          if (
            v.object.kind === "ident" &&
            (type.kind === "array" || (type.kind === "pointer" && v.section.length > 0))
          ) {
            array(c.op as Reduction["op"], v);
            return [];
          }
          if (
            v.section.length > 0 ||
            v.object.kind !== "ident" ||
            (type.kind !== "int" && type.kind !== "float" && type.kind !== "enum" && type.kind !== "complex")
          ) {
            this.report(
              "reduction-type",
              v.loc,
              `'${v.written}' cannot be reduced`,
              "reduce scalar variables of arithmetic type",
            );
            return [];
          }
          if (integerOnly && type.kind !== "int" && type.kind !== "enum") {
            this.report(
              "reduction-type",
              v.loc,
              `operator '${c.op}' needs an integer, and '${v.written}' is not one`,
              "use + * max min && or ||",
            );
            return [];
          }
          return [{ op: c.op as Reduction["op"], sym: v.sym, loc: v.loc }];
        }),
      );
  }

  private loop(d: Directive, body: Stmt, source: Stmt): Loop | undefined {
    if (body.kind !== "for") {
      this.report(
        "expected-loop",
        d.loc,
        `'${d.name}' is not followed by a for loop`,
        "put it directly before the loop",
      );
      return undefined;
    }
    const tile = this.selected(d, "tile")?.exprs;
    const collapse = this.selected(d, "collapse");
    const depth = collapse ? this.collapseDepth(collapse) : (tile?.length ?? 1);
    const force = collapse?.modifiers.includes("force") === true;
    const nest = depth === undefined ? undefined : this.nest(body, depth, d, force);
    if (!nest) return undefined;
    const level = (name: Level) => this.selected(d, name);
    const levels = (["gang", "worker", "vector"] as const).filter(level);
    const size = (name: Level) => level(name)?.exprs[0] as Expr | undefined;
    const [gangs, workers, lanes] = [size("gang"), size("worker"), size("vector")];
    const seq = this.selected(d, "seq") !== undefined;
    const { reductions, body: reduced } = this.reduced(d, nest.body, source);
    const inKernels = d.name === "kernels loop" || this.around.construct === "kernels";
    return node<Loop>({
      kind: "loop",
      headers: nest.headers,
      parallel: {
        levels,
        independence: seq
          ? "seq"
          : clause(d, "auto") || (inKernels && !clause(d, "independent") && levels.length === 0)
            ? "auto"
            : "independent",
        ...(gangs && { gangs }),
        ...(level("gang")?.modifiers.includes("dim") && { dimension: true as const }),
        ...(workers && { workers }),
        ...(lanes && { lanes }),
        ...(tile && { tile: tile as (Expr | "*")[] }),
      },
      privates: d.clauses.filter((c) => c.name === "private").flatMap((c) => c.vars.map((v) => v.sym)),
      reductions,
      body: reduced,
      site: site(d, source),
    });
  }

  private collapseDepth(collapse: Clause): number | undefined {
    const value = evaluateInteger(collapse.exprs[0] as Expr);
    if (value !== undefined && value > 0n && value < 100n) return Number(value);
    this.report(
      "collapse-argument",
      collapse.loc,
      "collapse needs a positive integer constant",
      "write collapse(2)",
    );
    return undefined;
  }

  /**
   * The headers of `depth` nested loops and the innermost body. `force`: statements between the loops
   * move into the innermost body, where every iteration repeats those before and after it.
   */
  private nest(
    outer: ForStmt,
    depth: number,
    d: Directive,
    force: boolean,
  ): { headers: LoopHeader[]; body: Stmt } | undefined {
    const headers: LoopHeader[] = [];
    const before: Stmt[] = [];
    const after: Stmt[] = [];
    let loop: Stmt = outer;
    for (;;) {
      let inner: Stmt | undefined = loop.kind === "compound" && loop.body.length === 1 ? loop.body[0] : loop;
      if (force && inner?.kind === "compound") {
        const list: readonly Stmt[] = inner.body;
        const at = list.findIndex((s) => s.kind === "for");
        inner = list[at];
        before.push(...list.slice(0, at));
        after.unshift(...list.slice(at + 1));
      }
      if (inner?.kind !== "for") {
        this.report(
          "imperfect-nest",
          loop.span.start,
          `'${d.name}' wants ${depth} nested loops, but loop ${headers.length + 1} is not directly inside loop ${headers.length}`,
          "move statements between the loops into the innermost one, or collapse fewer loops",
        );
        return undefined;
      }
      const header = countedHeader(inner);
      if ("severity" in header) {
        this.diagnostics.push(header);
        return undefined;
      }
      headers.push(header);
      loop = inner.body;
      if (headers.length < depth) continue;
      const moved = before.length + after.length > 0;
      return {
        headers,
        body: moved ? { kind: "compound", body: [...before, loop, ...after], span: loop.span } : loop,
      };
    }
  }

  // -------------------------------------------------------------- clauses

  private async(d: Directive): { async?: Async } {
    const found = this.selected(d, "async");
    return found ? { async: (found.exprs[0] as Expr | undefined) ?? "default" } : {};
  }

  private queueing(d: Directive): Queueing {
    const waits = d.clauses.filter((c) => c.name === "wait");
    const condition = clause(d, "if")?.exprs[0] as Expr | undefined;
    const wait = waits[0] && { queues: waits.flatMap((w) => w.exprs as Expr[]), loc: waits[0].loc };
    return { ...this.async(d), ...(wait && { wait }), ...(condition && { condition }) };
  }

  /** A clause that device_type may vary: the default one, else the one for every device. */
  private selected(d: Directive, name: string): Clause | undefined {
    const found = d.clauses.filter((c) => c.name === name);
    for (const c of found)
      if (
        c.deviceTypes &&
        !c.deviceTypes.includes("*") &&
        !c.deviceTypes.includes("default") &&
        !this.diagnostics.some((n) => n.loc === c.loc)
      )
        this.diagnostics.push({
          severity: "note",
          code: "device-type",
          loc: c.loc,
          message: `'${name}' for device_type(${c.deviceTypes.join(", ")}) is not used: one host program serves every target`,
          remedy: "put sizes into the default clauses, or use a variant axis",
        });
    return (
      found.find((c) => !c.deviceTypes) ??
      found.find((c) => c.deviceTypes?.some((t) => t === "*" || t === "default"))
    );
  }

  private items(d: Directive): DataItem[] {
    return d.clauses.flatMap((c) => {
      const mapping = mappings[c.name];
      return mapping ? c.vars.map((v) => dataItem(v, mapping, { ...modifiers(c), ...pipeOf(c) })) : [];
    });
  }

  private updateItems(d: Directive): DataItem[] {
    const ifPresent = clause(d, "if_present") ? { ifPresent: true as const } : {};
    return d.clauses.flatMap((c) =>
      c.name === "self" || c.name === "device"
        ? c.vars.map((v) => dataItem(v, c.name === "self" ? "update-self" : "update-device", ifPresent))
        : [],
    );
  }

  private declare(d: Directive): Declare {
    return node<Declare>({ kind: "declare", site: site(d), items: this.items(d) });
  }

  private report(code: string, loc: Directive["loc"], message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }
}

function clause(d: Directive, name: string): Clause | undefined {
  return d.clauses.find((c) => c.name === name);
}

function defaultOf(d: Directive): "none" | "present" | undefined {
  return clause(d, "default")?.names[0] as "none" | "present" | undefined;
}

/** The surroundings of a directive's statement. */
function inside(around: Around, d: Directive): Around {
  const defaultData = defaultOf(d) ?? around.defaultData;
  const compute = d.name.match(/^(parallel|serial|kernels)/)?.[0] as Task["construct"] | undefined;
  const construct = compute ?? around.construct;
  return { ...(construct && { construct }), ...(defaultData && { defaultData }) };
}

function site(d: Directive, stmt?: Stmt): Site {
  return { loc: d.loc, what: d.name, pragma: d.pragma, ...(stmt && { stmt }) };
}

function laterFunction(externals: readonly External[], name: string): Symbol | undefined {
  for (const e of externals) {
    if (e.kind === "function" && e.sym.name === name) return e.sym;
    if (e.kind === "decl") {
      const found = (e as DeclStmt).decls.find((x) => x.sym.name === name);
      if (found) return found.sym;
    }
  }
  return undefined;
}

const pipes = { pipe: "buffer", pipein: "in", pipeout: "out" } as const;

function pipeOf({ name }: Clause): Partial<DataItem["mapping"]> {
  return name in pipes ? { pipe: pipes[name as keyof typeof pipes] } : {};
}

function modifiers(c: Clause): Partial<DataItem["mapping"]> {
  const has = (name: string) => c.modifiers.includes(name);
  return {
    ...(has("zero") && { zero: true as const }),
    ...(has("readonly") && { readonly: true as const }),
    ...((has("always") || has("alwaysin")) && { alwaysIn: true as const }),
    ...((has("always") || has("alwaysout")) && { alwaysOut: true as const }),
  };
}

function dataItem(v: VarRef, is: Mapping, extra: Partial<DataItem["mapping"]>): DataItem {
  return {
    sym: v.sym,
    object: v.object,
    section: v.section,
    written: v.written,
    sharing: { is: "shared", vis: "explicit" },
    mapping: { ...extra, is, vis: "explicit" },
    access: "none",
    loc: v.loc,
  };
}
