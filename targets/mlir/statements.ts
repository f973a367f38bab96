/** C statements as operations of scf. Jumps out of loops become flags, which guard the statements after them. */
import { asNode } from "../../core/ir/model/ir.ts";
import type { Expr, Init, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
import type { GroupReduce } from "../shared/device/device.ts";
import { atomic as atomicStatement } from "./atomics.ts";
import type { Code } from "./code.ts";
import type { Expressions } from "./expressions.ts";
import { isFloat, isUnsigned, NotInMlir, scalar } from "./types.ts";

/** Flags of the enclosing loop: whether this iteration or the whole loop has ended. */
interface Around {
  readonly iteration?: string | undefined;
  readonly loop?: string | undefined;
}

export class Statements {
  private readonly code: Code;
  private readonly expressions: Expressions;
  /** The function's value, if it is returned at the end. */
  result: string | undefined;

  constructor(code: Code, expressions: Expressions) {
    this.code = code;
    this.expressions = expressions;
  }

  list(list: readonly Stmt[], around: Around, isLast = false): void {
    for (const [k, s] of list.entries()) {
      const rest = list.slice(k + 1);
      this.statement(s, around, isLast && rest.length === 0);
      if (rest.length === 0 || !mayJump(s)) continue;
      // Later statements run only if nothing has jumped over them.
      const flags = [around.iteration, around.loop].flatMap((flag) => flag ?? []);
      const gone = flags.map((flag) => this.code.value(`memref.load ${flag}[] : memref<i1>`));
      const any = gone.reduce((a, b) => this.code.value(`arith.ori ${a}, ${b} : i1`));
      const one = this.code.value("arith.constant true");
      const stays = this.code.value(`arith.xori ${any}, ${one} : i1`);
      this.code.line(`scf.if ${stays} {`);
      this.code.inside(() => this.list(rest, around));
      this.code.line("}");
      return;
    }
  }

  private statement(s: Stmt, around: Around, isLast: boolean): void {
    const { code, expressions } = this;
    switch (s.kind) {
      case "expr":
        if (s.expr) expressions.effect(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls) this.declaration(sym, init);
        return;
      case "compound":
        this.list(s.body, around, isLast);
        return;
      case "if": {
        const test = expressions.truth(s.test);
        code.line(`scf.if ${test} {`);
        code.inside(() => this.list([s.then], around));
        if (s.else) {
          const other = s.else;
          code.line("} else {");
          code.inside(() => this.list([other], around));
        }
        code.line("}");
        return;
      }
      case "for": {
        if (s.init && "kind" in s.init) {
          if (s.init.kind === "decl") this.statement(s.init, {}, false);
          else expressions.effect(s.init);
        }
        this.loop(s.body, s.test, s.step);
        return;
      }
      case "while":
        this.loop(s.body, s.test, undefined);
        return;
      case "do":
        this.loop(s.body, s.test, undefined, true);
        return;
      case "continue":
      case "break": {
        const flag = s.kind === "break" ? around.loop : around.iteration;
        if (flag === undefined) throw new NotInMlir(`'${s.kind}' here`, s.span.start);
        this.set(flag, true);
        return;
      }
      case "return":
        if (!isLast) throw new NotInMlir("a return before the end of a function", s.span.start);
        if (s.value) this.result = expressions.value(s.value);
        return;
      case "ext":
        this.extension(s);
        return;
      default:
        throw new NotInMlir(`'${s.kind}'`, s.span.start);
    }
  }

  private extension(s: Stmt & { readonly kind: "ext" }): void {
    const { code, expressions } = this;
    const atomic = asNode(s, "atomic");
    if (atomic) {
      atomicStatement(code, expressions, atomic);
      return;
    }
    if (s.ext.kind === "barrier") {
      code.line("gpu.barrier");
      return;
    }
    if (s.ext.kind !== "group-reduce") throw new NotInMlir(`'${s.ext.kind}'`, s.span.start);
    const { op, target } = s.ext as GroupReduce;
    const { type } = target;
    const word = { "+": "add", "*": "mul", "&": "and", "|": "or", "^": "xor", max: "max", min: "min" }[
      op as "+"
    ];
    // Its minimum and maximum are for signed numbers.
    if (word === undefined || ((op === "max" || op === "min") && !isFloat(type) && isUnsigned(type)))
      throw new NotInMlir(`a group's reduction by '${op}'`, s.span.start);
    const name = scalar(type);
    const own = expressions.loadOf(target);
    const all = code.value(`gpu.all_reduce ${word} ${own} uniform {} : (${name}) -> (${name})`);
    expressions.store(all, expressions.lvalue(target));
  }

  private declaration(sym: Symbol, init: Init | undefined): void {
    if (sym.storage === "static") throw new NotInMlir(`the static variable '${sym.name}'`, sym.span.start);
    const memory = this.expressions.declare(sym);
    if (init === undefined) return;
    if (init.kind !== "expr") throw new NotInMlir(`the list of values of '${sym.name}'`, sym.span.start);
    this.expressions.store(this.expressions.as(init.expr, sym.type), memory);
  }

  private set(flag: string, value: boolean): void {
    const is = this.code.value(`arith.constant ${value}`);
    this.code.line(`memref.store ${is}, ${flag}[] : memref<i1>`);
  }

  private loop(body: Stmt, test: Expr | undefined, step: Expr | undefined, bodyFirst = false): void {
    const { code, expressions } = this;
    const flag = (kind: "break" | "continue"): string | undefined =>
      jumps(body, kind) ? code.variable("memref<i1>") : undefined;
    const own = { iteration: flag("continue"), loop: flag("break") };
    if (own.loop) this.set(own.loop, false);
    const holds = (): string => (test ? expressions.truth(test) : code.value("arith.constant true"));
    const goes = (): string => {
      if (!own.loop) return holds();
      const gone = code.value(`memref.load ${own.loop}[] : memref<i1>`);
      return expressions.numbers.either(gone, "i1", () => code.value("arith.constant false"), holds);
    };
    const once = (): void => {
      if (own.iteration) this.set(own.iteration, false);
      this.list([body], own);
    };
    code.line("scf.while : () -> () {");
    code.inside(() => {
      if (bodyFirst) once();
      code.line(`scf.condition(${goes()})`);
    });
    code.line("} do {");
    code.inside(() => {
      if (!bodyFirst) {
        once();
        if (step && own.loop) {
          const gone = code.value(`memref.load ${own.loop}[] : memref<i1>`);
          const one = code.value("arith.constant true");
          code.line(`scf.if ${code.value(`arith.xori ${gone}, ${one} : i1`)} {`);
          code.inside(() => expressions.effect(step));
          code.line("}");
        } else if (step) expressions.effect(step);
      }
      code.line("scf.yield");
    });
    code.line("}");
  }
}

/** Whether a statement breaks or continues the enclosing loop. */
function jumps(s: Stmt, kind: "break" | "continue"): boolean {
  switch (s.kind) {
    case "break":
    case "continue":
      return s.kind === kind;
    case "compound":
      return s.body.some((one) => jumps(one, kind));
    case "if":
      return jumps(s.then, kind) || (s.else !== undefined && jumps(s.else, kind));
    default:
      return false;
  }
}

const mayJump = (s: Stmt): boolean => jumps(s, "break") || jumps(s, "continue");
