/** Expressions (C11 6.5) with GNU extensions. */

import { codeUnits, parseChar, parseNumber } from "../preprocess/literals.ts";
import type { Token } from "../preprocess/token.ts";
import type { BinaryOp, Compound, CType, Expr, Init, Span, Symbol, UnaryOp } from "../tree/ast.ts";
import * as build from "../tree/build.ts";
import { builtinResult, isBuiltinName } from "../tree/builtins.ts";
import { nearestName } from "../tree/diagnostics.ts";
import { BINARY_PRECEDENCE } from "../tree/precedence.ts";
import { makeSymbol } from "../tree/scope.ts";
import {
  arrayOf,
  BOOL,
  CHAR,
  calleeType,
  canonical,
  decay,
  elementType,
  INT,
  isFunction,
  qualify,
  SIZE,
  VOID,
  VOID_POINTER,
} from "../tree/types.ts";
import { BuiltinParser } from "./builtins.ts";
import { NEW_CONSTANTS } from "./c23.ts";
import { BRACKET, STATEMENT } from "./parser-base.ts";

const ASSIGNMENTS: ReadonlySet<string> = new Set([
  "=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "<<=",
  ">>=",
  "&=",
  "|=",
  "^=",
]);
const UNARY: ReadonlySet<string> = new Set([
  "+",
  "-",
  "~",
  "!",
  "*",
  "&",
  "__real__",
  "__imag__",
  "__extension__",
]);

export abstract class ExpressionParser extends BuiltinParser {
  /** Parses a braced initialiser for an object of type `type` and returns the completed type. */
  protected abstract bracedInit(type: CType): { readonly init: Init; readonly type: CType };
  protected abstract compoundStatement(): Compound;
  /** The function being parsed, for `__func__`. */
  protected currentFunction: string | undefined;
  private readonly builtinSymbols = new Map<string, Symbol>();
  private readonly functionNames = new Map<string, Symbol>();

  /** expression = assignment ("," assignment)* */
  expression(): Expr {
    let left = this.assignment();
    for (let length = 0; this.accept(","); this.checkChain(++length)) {
      left = build.comma(left, this.assignment());
    }
    return left;
  }

  /** assignment = conditional (assignment-operator assignment)? */
  assignment(): Expr {
    const left = this.conditional();
    const op = this.token.text;
    if (this.token.kind !== "punct" || !ASSIGNMENTS.has(op)) return left;
    this.next();
    return build.assign(left, this.assignment(), op as Extract<Expr, { kind: "assign" }>["op"]);
  }

  /** conditional = binary ("?" expression? ":" conditional)? */
  conditional(): Expr {
    const test = this.binary(1);
    if (!this.accept("?")) return test;
    const then = this.at(":") ? undefined : this.expression();
    this.expect(":", "in the conditional expression");
    this.enter(STATEMENT);
    const expr = build.cond(test, then, this.conditional());
    this.leave(STATEMENT);
    return expr;
  }

  /** binary(p) = cast (operator-of-precedence>=p binary(p+1))* */
  private binary(minimum: number): Expr {
    let left = this.castExpression();
    for (let length = 0; ; this.checkChain(++length)) {
      const precedence = this.token.kind === "punct" ? BINARY_PRECEDENCE.get(this.token.text) : undefined;
      if (precedence === undefined || precedence < minimum) return left;
      const op = this.next().text as BinaryOp;
      left = build.binary(op, left, this.binary(precedence + 1));
    }
  }

  /** cast = "(" type-name ")" cast | "(" type-name ")" braced-init postfix* | unary */
  castExpression(): Expr {
    this.enter(BRACKET);
    const expr = this.castOrUnary();
    this.leave(BRACKET);
    return expr;
  }

  private castOrUnary(): Expr {
    if (!this.at("(") || !this.startsType(1)) return this.unary();
    const { loc } = this.next();
    const { value: to, defines } = this.collectDefines(() => this.typeName());
    this.expect(")", "after the type name");
    if (this.at("{")) return this.postfix(this.compoundLiteral(loc, to, defines));
    const arg = this.castExpression();
    const expr = build.cast(to, arg, { start: loc, end: arg.span.end });
    return defines.length > 0 ? { ...expr, defines } : expr;
  }

  private compoundLiteral(start: Token["loc"], of: CType, defines: Expr["defines"] & object): Expr {
    const { init, type } = this.bracedInit(of);
    const span = this.spanFrom(start);
    return { kind: "compound", of, init, type, span, ...(defines.length > 0 && { defines }) };
  }

  /**
   * unary = ("++" | "--") unary | unary-operator cast | "&&" label
   *       | ("sizeof" | "_Alignof" | "__alignof__") (unary | "(" type-name ")") | postfix
   */
  private unary(): Expr {
    const { token } = this;
    const { text } = token;
    if (this.keywordAt(0) === "_Alignof") return this.sizeofOrAlignof();
    if (token.kind !== "punct" && token.kind !== "keyword") return this.postfix(this.primary());
    if (text === "++" || text === "--") {
      this.next();
      const arg = this.unary();
      return build.incdec(text, true, arg, { start: token.loc, end: arg.span.end });
    }
    if (UNARY.has(text)) {
      this.next();
      const arg = this.castExpression();
      const span = { start: token.loc, end: arg.span.end };
      if (text === "*" && !elementType(decay(arg.type)) && !isFunction(arg.type)) {
        this.errorIn(arg, "not-a-pointer", "`*` needs a pointer");
      }
      return build.unary(text as UnaryOp, arg, span);
    }
    if (text === "&&") {
      this.next();
      const label = this.expectIdent("a label");
      return { kind: "label-addr", label: label.text, type: VOID_POINTER, span: this.spanFrom(token.loc) };
    }
    if (text === "sizeof" || text === "__alignof__") return this.sizeofOrAlignof();
    return this.postfix(this.primary());
  }

  private sizeofOrAlignof(): Expr {
    const keyword = this.next();
    const kind = keyword.text === "sizeof" ? "sizeof" : "alignof";
    if (this.at("(") && this.startsType(1)) {
      this.next();
      const { value: of, defines } = this.collectDefines(() => this.typeName());
      this.expect(")", "after the type name");
      if (!this.at("{")) {
        const span = this.spanFrom(keyword.loc);
        return { kind, of, type: SIZE, span, ...(defines.length > 0 && { defines }) };
      }
      const arg = this.postfix(this.compoundLiteral(keyword.loc, of, defines));
      return { kind, arg, type: SIZE, span: this.spanFrom(keyword.loc) };
    }
    const arg = this.unary();
    return { kind, arg, type: SIZE, span: this.spanFrom(keyword.loc) };
  }

  /** Whether the clause parser handles the next token itself. */
  protected endsPostfix(): boolean {
    return false;
  }

  postfixExpression(): Expr {
    return this.postfix(this.primary());
  }

  /** postfix = primary ("[" expression "]" | "(" arguments ")" | ("." | "->") name | "++" | "--")* */
  private postfix(primary: Expr): Expr {
    let expr = primary;
    const { start } = primary.span;
    for (let length = 0; ; this.checkChain(++length)) {
      const { token } = this;
      if (token.kind !== "punct" || this.endsPostfix()) return expr;
      switch (token.text) {
        case "[": {
          this.next();
          const subscript = this.expression();
          this.expect("]", "to close the subscript");
          if (!elementType(expr.type) && !elementType(subscript.type)) {
            this.errorIn(expr, "not-an-array", "only arrays and pointers have elements");
          }
          expr = build.index(expr, subscript, this.spanFrom(start));
          break;
        }
        case "(":
          expr = this.callOf(expr);
          break;
        case ".":
        case "->":
          expr = this.memberOf(expr);
          break;
        case "++":
        case "--":
          this.next();
          expr = build.incdec(token.text, false, expr, this.spanFrom(start));
          break;
        default:
          return expr;
      }
    }
  }

  /** arguments = (assignment ("," assignment)*)? */
  private callOf(callee: Expr): Expr {
    this.next();
    const args: Expr[] = [];
    while (!this.at(")")) {
      args.push(this.assignment());
      if (!this.accept(",")) break;
    }
    this.expect(")", "to close the arguments");
    const span = this.spanFrom(callee.span.start);
    if (callee.kind === "ident" && this.builtinSymbols.get(callee.sym.name) === callee.sym) {
      return this.builtinCall(callee, args, span);
    }
    if (!calleeType(callee.type)) this.errorIn(callee, "not-a-function", "this is not a function");
    return build.call(chosenFunction(callee), this.namingFunction(callee, args), span);
  }

  /**
   * `assert` names the enclosing function: that name becomes a literal, because code of a region moves into another
   * function.
   */
  private namingFunction(callee: Expr, args: readonly Expr[]): readonly Expr[] {
    const name = this.currentFunction;
    if (callee.kind !== "ident" || callee.sym.name !== "__assert_fail" || name === undefined) return args;
    return args.map((arg) => {
      const shown = arg.kind === "unary" && arg.op === "__extension__" ? arg.arg : arg;
      const isName =
        shown.kind === "ident" && this.functionNames.get(`${name} ${shown.sym.name}`) === shown.sym;
      return isName
        ? { kind: "string", pieces: [JSON.stringify(name)], type: shown.type, span: arg.span }
        : arg;
    });
  }

  private builtinCall(callee: Expr & { readonly kind: "ident" }, args: readonly Expr[], span: Span): Expr {
    const type = builtinResult(
      callee.sym.name,
      args.map((arg) => decay(arg.type)),
    );
    return { kind: "call", callee, args: args.map(build.decayed), type, span };
  }

  private memberOf(base: Expr): Expr {
    const operator = this.next();
    const arrow = operator.text === "->";
    const name = this.expectIdent("a member name");
    const span = this.spanFrom(base.span.start);
    const found = build.member(base, name.text, arrow, span);
    if (found) return found;
    const object = canonical(arrow ? (elementType(decay(base.type)) ?? VOID) : base.type);
    const at = { start: name.loc, end: name.end };
    if (object.kind !== "record") {
      const hint = arrow ? "`->` needs a pointer to a struct or union" : "`.` needs a struct or union";
      const swap =
        !arrow && elementType(base.type)
          ? "write `->`"
          : arrow && canonical(base.type).kind === "record"
            ? "write `.`"
            : undefined;
      this.errorIn(base, "not-a-record", hint, { remedy: swap });
    } else if (!object.decl.fields) {
      this.errorIn(base, "incomplete-type", `\`${recordName(object)}\` is not defined here`, {
        remedy: "include the header that defines it",
      });
    } else {
      const names = object.decl.fields.flatMap((field) => field.name ?? []);
      const guess = nearestName(name.text, names);
      const remedy = guess ? `did you mean \`${guess}\`?` : `its members are ${names.join(", ")}`;
      const message = `\`${recordName(object)}\` has no member \`${name.text}\``;
      this.errorIn(base, "no-such-member", message, { remedy }, at);
    }
    return { kind: "member", base, arrow, name: name.text, type: INT, span };
  }

  /**
   * primary = identifier | constant | string+ | "(" expression ")" | "(" compound-statement ")"
   *         | generic | builtin
   */
  private primary(): Expr {
    const { token } = this;
    switch (token.kind) {
      case "ident":
        return this.identifier();
      case "number":
        return this.numberLiteral();
      case "char": {
        this.next();
        const { value, type } = parseChar(token.text);
        return { kind: "char", value, text: token.text, type, span: this.spanFrom(token.loc) };
      }
      case "string":
        return this.stringLiteral();
      case "keyword":
        return this.keywordPrimary();
      case "punct":
        if (token.text === "(") return this.parenthesized();
    }
    return this.fail("syntax", `expected an expression, found ${this.found()}`, {
      remedy: token.text === "" ? undefined : "complete the expression before it",
    });
  }

  private identifier(): Expr {
    const token = this.next();
    const span = { start: token.loc, end: token.end };
    const known = this.lookup(token.text);
    const constant = known ? undefined : NEW_CONSTANTS.get(token.text);
    if (constant !== undefined) {
      const value = build.intLit(constant, INT, span);
      return build.cast(token.text === "nullptr" ? VOID_POINTER : BOOL, value, span);
    }
    const sym = known ?? this.implicitSymbol(token);
    if (sym.kind === "typedef")
      this.error("type-not-value", `\`${token.text}\` is a type, not a value`, span, {
        remedy: "name a variable",
      });
    return { kind: "ident", sym, type: sym.type, span };
  }

  private implicitSymbol(token: Token): Symbol {
    const { text } = token;
    const at = { start: token.loc, end: token.end };
    if (/^(__func__|__FUNCTION__|__PRETTY_FUNCTION__)$/.test(text) && this.currentFunction !== undefined) {
      return this.functionName(text, this.currentFunction, at);
    }
    if (isBuiltinName(text)) {
      let sym = this.builtinSymbols.get(text);
      if (!sym) {
        const type: CType = { kind: "function", ret: INT, params: [], variadic: false, unprototyped: true };
        sym = makeSymbol(text, "function", type, "file", at, "extern");
        this.builtinSymbols.set(text, sym);
      }
      return sym;
    }
    if (!this.at("(")) return this.undeclared(token);
    // Headers declare what the library beside them has.
    const isOfRuntime =
      /^(omp|acc)_[a-z_]+$/.test(text) && this.fileScope.lookup(`${text.slice(0, 4)}get_num_devices`);
    this.warn("implicit-function", `\`${text}\` is called before it is declared`, at, {
      why: isOfRuntime
        ? "the C compiler's header does not have it, so that its library will not have it either"
        : "without a declaration C assumes that it returns int and takes anything",
      remedy: isOfRuntime
        ? "take a compiler with a newer version of OpenMP or OpenACC, or do without the routine"
        : "include the header that declares it, or declare it",
    });
    const type: CType = { kind: "function", ret: INT, params: [], variadic: false, unprototyped: true };
    const sym = makeSymbol(text, "function", type, "file", at, "extern");
    this.fileScope.names.set(text, sym);
    return sym;
  }

  /** `__func__` and its GNU spellings: one symbol for each per function. */
  private functionName(spelling: string, name: string, at: Span): Symbol {
    const key = `${name} ${spelling}`;
    let sym = this.functionNames.get(key);
    if (!sym) {
      const type = arrayOf(qualify(CHAR, { const: true }), name.length + 1);
      sym = makeSymbol(spelling, "var", type, "file", at, "static");
      this.functionNames.set(key, sym);
    }
    return sym;
  }

  private numberLiteral(): Expr {
    const token = this.next();
    const span = { start: token.loc, end: token.end };
    // C23's separators of digits are not for kernels.
    const text = token.text.includes("'") ? token.text.replaceAll("'", "") : token.text;
    const literal = parseNumber(text);
    if (!literal) {
      this.error("malformed-number", `\`${token.text}\` is no number`, span);
      return { kind: "int", value: 0n, text: "0", type: INT, span };
    }
    return { ...literal, text, span };
  }

  private stringLiteral(): Expr {
    const start = this.token.loc;
    const pieces: string[] = [];
    while (this.token.kind === "string") pieces.push(this.next().text);
    const { units, type } = codeUnits(pieces);
    return { kind: "string", pieces, type: arrayOf(type, units.length + 1), span: this.spanFrom(start) };
  }

  private parenthesized(): Expr {
    const open = this.next();
    if (this.at("{")) {
      const body = this.compoundStatement();
      this.expect(")", "after the statement expression");
      const last = body.body[body.body.length - 1];
      let value = last;
      while (value?.kind === "label") value = value.body;
      const type = value?.kind === "expr" && value.expr ? decay(value.expr.type) : VOID;
      return { kind: "stmt-expr", body, type, span: this.spanFrom(open.loc) };
    }
    if (this.startsUnknownType()) this.unknownType();
    const inner = this.expression();
    this.expect(")", "to close the parenthesis");
    // The span includes the parentheses; the tree's shape already shows the grouping.
    return { ...inner, span: this.spanFrom(open.loc) };
  }
}

function recordName(type: CType & { readonly kind: "record" }): string {
  return `${type.decl.union ? "union" : "struct"} ${type.decl.tag ?? "(unnamed)"}`;
}

/** `_Generic(x, float: sqrtf, double: sqrt)(x)` calls a function by its name. */
function chosenFunction(callee: Expr): Expr {
  if (callee.kind !== "generic" || callee.defines) return callee;
  const chosen = callee.assocs[callee.chosen]?.value;
  return chosen?.kind === "ident" && chosen.sym.kind === "function" ? chosen : callee;
}
