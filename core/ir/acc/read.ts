/** From a typed C unit with OpenACC pragmas to the IR: directives become nodes around their statements. */
import type { Expr, External, FunctionDef, Pragma, Stmt, TranslationUnit } from "../../lang/ast.ts";
import { type DataRegion, type Declare, extStmt, type HostData, type IrNode, node } from "../ir.ts";
import type { Program } from "../program.ts";
import { readAtomic } from "./atomic.ts";
import { checkDirective } from "./check.ts";
import { clause, queueing, site } from "./clauses.ts";
import { task } from "./compute.ts";
import { declare, items } from "./data.ts";
import { directives } from "./grammar.ts";
import { loop } from "./loops.ts";
import { type Directive, isAcc, parseDirective } from "./parse.ts";
import { inside, Reading } from "./reading.ts";
import { Reductions } from "./reductions.ts";
import { Routines } from "./routines.ts";
import { standalone } from "./standalone.ts";
import { unreadDirective } from "./unread.ts";

/** Reads every directive of a unit. Statements without directives are the same objects as before. */
export function readAcc(unit: TranslationUnit): Program {
  const reader = new Reader();
  const externals = reader.externals(unit.externals);
  return {
    unit: { ...unit, externals },
    routines: reader.routines.found,
    declares: reader.declares,
    diagnostics: reader.reading.diagnostics,
  };
}

class Reader {
  readonly reading = new Reading();
  readonly routines = new Routines(this.reading);
  readonly declares: Declare[] = [];
  private readonly reductions = new Reductions(this.reading);

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
      if (routine) this.routines.attach(routine, external);
      routine = undefined;
      result.push(external.kind === "function" ? this.functionDef(external) : external);
    }
    if (routine) this.routines.attach(routine, undefined);
    return result;
  }

  private fileDirective(directive: Directive, externals: readonly External[]): void {
    if (directive.name === "declare") this.declares.push(declare(directive));
    else if (directive.name === "routine") this.routines.named(directive, externals);
    else
      this.reading.report(
        "directive-outside-function",
        directive.loc,
        `'${directive.name}' must stand inside a function`,
        "move it into the function that is to execute it",
      );
  }

  private functionDef(def: FunctionDef): FunctionDef {
    for (const pragma of def.pragmas ?? []) {
      const directive = isAcc(pragma) ? this.directive(pragma) : undefined;
      if (directive?.name === "routine") this.routines.add(def.sym, directive);
    }
    const body = this.stmt(def.body);
    if (body === def.body) return def;
    const result = { ...def, body: body as FunctionDef["body"] };
    if (def.sym.definition === def) def.sym.definition = result;
    return result;
  }

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
      this.reading.report(
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
    const others = s.pragmas?.filter((p) => !isAcc(p)) ?? [];
    this.reading.diagnostics.push(...others.flatMap((p) => unreadDirective(p) ?? []));
    if (pragmas.length === 0) return [this.children(s)];
    const { pragmas: _, ...rest } = s;
    const plain = (others.length ? { ...rest, pragmas: others } : rest) as Stmt;
    const holder =
      s.kind === "expr" &&
      !s.expr &&
      s.span.start.line === s.span.end.line &&
      s.span.start.col === s.span.end.col;
    const read = pragmas.flatMap((pragma) => this.directive(pragma) ?? []);
    const { around } = this.reading;
    this.reading.around = read.reduce(inside, around);
    let list: Stmt[] = holder ? [] : [this.children(plain)];
    for (let k = read.length - 1; k >= 0; k--) {
      this.reading.around = read.slice(0, k).reduce(inside, around);
      list = this.bind(read[k] as Directive, list, holder ? undefined : plain);
    }
    this.reading.around = around;
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
    this.reading.diagnostics.push(...diagnostics);
    // With a clause missing because it is wrong, what the others lack means nothing.
    if (directive && diagnostics.every((d) => d.severity !== "error"))
      this.reading.diagnostics.push(...checkDirective(directive));
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
    const ext = this.construct(directive, body, source ?? body);
    return ext ? [at(ext, body), ...rest] : after;
  }

  private construct(d: Directive, body: Stmt, source: Stmt): IrNode | undefined {
    switch (d.name) {
      case "parallel":
      case "serial":
      case "kernels":
        return task(this.reading, this.reductions, d, body, source);
      case "parallel loop":
      case "serial loop":
      case "kernels loop": {
        const shared = loop(this.reading, this.reductions, d, body, source);
        return shared && task(this.reading, this.reductions, d, extStmt(shared, body.span), source);
      }
      case "loop":
        return loop(this.reading, this.reductions, d, body, source);
      case "data":
        return node<DataRegion>({
          kind: "data",
          site: site(d, source),
          ...queueing(this.reading, d),
          items: items(d),
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
        this.reading.diagnostics.push(atomic);
        return undefined;
      }
    }
  }

  private standalone(d: Directive): IrNode | undefined {
    if (d.name !== "routine") return standalone(this.reading, d);
    if (d.argument) this.routines.named(d, []);
    else this.routines.attach(d, undefined);
    return undefined;
  }
}
