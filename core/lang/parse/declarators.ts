/** Declarators, attributes and type names (C11 6.7.6, 6.7.7). */

import { decodeString } from "../preprocess/literals.ts";
import type { Token } from "../preprocess/token.ts";
import type { ArrayType, Attribute, CType, Expr, Param, Quals, Storage, Symbol } from "../tree/ast.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { knownInteger } from "../tree/known-constants.ts";
import { LexicalScope, makeSymbol } from "../tree/scope.ts";
import { arrayOf, canonical, isVoid, pointerTo } from "../tree/types.ts";
import { STANDARD_ATTRIBUTES } from "./c23.ts";
import { ExpressionParser } from "./expressions.ts";
import { BRACKET } from "./parser-base.ts";
import { namesVariable } from "./spelled-constants.ts";
import { applyTypeAttributes } from "./type-attributes.ts";

/** The part of a declaration before its declarators. */
export interface Specifiers {
  readonly type: CType;
  readonly storage: Storage;
  readonly threadLocal: boolean;
  readonly inline: boolean;
  readonly noreturn: boolean;
  readonly attrs: readonly Attribute[];
  /** No type specifier was written: C89's implicit int, or `__auto_type` when `auto`. */
  readonly implied?: "int" | "auto";
}

/** The parameter list nearest to the declared name: a definition continues in its scope. */
export interface ParameterList {
  readonly params: readonly Param[];
  readonly scope: LexicalScope;
  /** K&R: `f(a, b)`. */
  readonly names?: readonly Token[];
}

export interface ParsedDeclarator {
  readonly name: Token | undefined;
  readonly type: CType;
  readonly attrs: readonly Attribute[];
  readonly asmLabel: string | undefined;
  readonly parameters: ParameterList | undefined;
}

/** One step from the base type towards the declared type. */
type Derivation = (type: CType) => CType;

interface Shape {
  readonly name: Token | undefined;
  /** In order of application to the base type. */
  readonly steps: readonly Derivation[];
  readonly attrs: readonly Attribute[];
  readonly parameters: ParameterList | undefined;
}

const QUALIFIERS: ReadonlyMap<string, keyof Quals> = new Map([
  ["const", "const"],
  ["volatile", "volatile"],
  ["restrict", "restrict"],
  ["_Atomic", "atomic"],
]);

export abstract class DeclaratorParser extends ExpressionParser {
  protected abstract specifiers(context: string): Specifiers;

  protected override constant(expr: Expr): bigint | undefined {
    return evaluateInteger(expr);
  }

  /** type-name = specifiers abstract-declarator? */
  protected override typeName(): CType {
    const { type } = this.specifiers("in the type name");
    return this.declarator(type).type;
  }

  /** declarator = shape asm-label? attributes? */
  protected declarator(base: CType, outerAttrs: readonly Attribute[] = []): ParsedDeclarator {
    const shape = this.shape();
    const asmLabel = this.asmLabel();
    const attrs = [...outerAttrs, ...shape.attrs, ...this.attributes()];
    let type = base;
    for (const step of shape.steps) type = step(type);
    const applied = applyTypeAttributes(type, attrs);
    return {
      name: shape.name,
      type: applied.type,
      attrs: applied.attrs,
      asmLabel,
      parameters: shape.parameters,
    };
  }

  /** asm-label = "__asm__" "(" string+ ")" */
  private asmLabel(): string | undefined {
    if (!this.at("__asm__")) return undefined;
    this.next();
    this.expect("(", "after `asm`");
    let label = "";
    while (this.token.kind === "string") label += decodeString(this.next().text);
    this.expect(")", "to close the asm label");
    return label;
  }

  /** attributes = ("__attribute__" "(" "(" (attribute ("," attribute)*)? ")" ")" | standard-attributes)* */
  protected attributes(): Attribute[] {
    const attrs: Attribute[] = [];
    while (this.startsAttribute()) {
      if (this.at("[")) {
        attrs.push(...this.standardAttributes());
        continue;
      }
      this.next();
      this.expect("(", "after `__attribute__`");
      this.expect("(", "after `__attribute__(`");
      while (!this.at(")")) {
        if (this.accept(",")) continue;
        attrs.push(this.attribute());
      }
      this.next();
      this.expect(")", "to close `__attribute__`");
    }
    return attrs;
  }

  /** standard-attributes = "[" "[" ((name ":" ":")? attribute ("," ...)*)? "]" "]" (C23 6.7.12) */
  private standardAttributes(): Attribute[] {
    const attrs: Attribute[] = [];
    this.next();
    this.next();
    while (!this.at("]")) {
      if (this.accept(",")) continue;
      const scope = this.peek(1).text === ":" ? this.next() : undefined;
      if (scope?.text === "omp" || scope?.text === "__omp__")
        this.fail("attribute-directive", "directives of OpenMP in attributes are not read", {
          at: scope.loc,
          remedy: "write `#pragma omp` before the statement",
        });
      if (scope) this.next();
      if (scope) this.expect(":", "after the attribute's prefix");
      const attribute = this.attribute();
      const name = scope
        ? attribute.name
        : STANDARD_ATTRIBUTES.get(attribute.name.replace(/^__(.*)__$/, "$1"));
      if (name === "warn_unused_result") attrs.push({ name });
      else if (name !== undefined) attrs.push({ ...attribute, name });
    }
    this.next();
    this.expect("]", "to close the attributes");
    return attrs;
  }

  /** attribute = name ("(" tokens ")")? */
  private attribute(): Attribute {
    if (this.token.kind !== "ident" && this.token.kind !== "keyword") {
      this.fail("syntax", `expected an attribute, found ${this.found()}`);
    }
    const name = this.next().text;
    if (!this.at("(")) return { name };
    const wantsValue = /^(_*aligned_*|_*vector_size_*)$/.test(name);
    const start = this.pos;
    const { text } = this.balanced();
    if (!wantsValue) return { name, args: text };
    const end = this.pos;
    this.seek(start + 1);
    const value = this.alignmentOperand();
    this.seek(end);
    return value === undefined ? { name, args: text } : { name, args: text, value };
  }

  private alignmentOperand(): number | undefined {
    if (this.at(")")) return undefined;
    const value = evaluateInteger(this.conditional());
    return value === undefined ? undefined : Number(value);
  }

  /** alignment = "_Alignas" "(" (type-name | constant) ")" */
  protected alignas(): Attribute {
    this.next();
    const start = this.pos;
    const { text } = this.balanced();
    const end = this.pos;
    this.seek(start + 1);
    const value = this.startsType(0) ? this.alignmentOfTypeName() : this.alignmentOperand();
    this.seek(end);
    return { name: "_Alignas", args: text, ...(value !== undefined && { value }) };
  }

  protected abstract alignmentOfTypeName(): number;

  /** qualifiers = ("const" | "volatile" | "restrict" | "_Atomic" | attributes)* */
  protected qualifiers(attrs: Attribute[]): Quals | undefined {
    const quals: { -readonly [K in keyof Quals]: true } = {};
    let any = false;
    for (;;) {
      const qualifier = this.token.kind === "keyword" ? QUALIFIERS.get(this.token.text) : undefined;
      if (qualifier) {
        quals[qualifier] = true;
        any = true;
        this.next();
      } else if (this.startsAttribute()) attrs.push(...this.attributes());
      else return any ? quals : undefined;
    }
  }

  /** shape = ("*" qualifiers)* (name | "(" attributes? shape ")")? suffix* */
  private shape(): Shape {
    const steps: Derivation[] = [];
    const attrs: Attribute[] = [];
    while (this.accept("*")) {
      const quals = this.qualifiers(attrs);
      steps.push((to) => pointerTo(to, quals));
      this.checkChain(steps.length);
    }
    let name: Token | undefined;
    let inner: Shape | undefined;
    if (this.token.kind === "ident" || this.namesFloat()) name = this.next();
    else if (this.at("(") && this.nestsDeclarator()) {
      this.next();
      attrs.push(...this.attributes());
      this.enter(BRACKET);
      inner = this.shape();
      this.leave(BRACKET);
      this.expect(")", "to close the declarator");
    }
    const { steps: suffixes, parameters } = this.suffixes();
    steps.push(...suffixes.reverse());
    if (inner) steps.push(...inner.steps);
    return {
      name: name ?? inner?.name,
      steps,
      attrs: inner ? [...attrs, ...inner.attrs] : attrs,
      // The list nearest to the name makes the function: in `int (*f(a))(b)` that is (a).
      parameters: inner && inner.steps.length > 0 ? inner.parameters : (parameters ?? inner?.parameters),
    };
  }

  /** glibc declares `typedef float _Float32;` for compilers that have no such keyword. */
  private namesFloat(): boolean {
    return this.token.kind === "keyword" && /^(_Float|__float|__bf)/.test(this.token.text);
  }

  /** `(` opens a nested declarator, not the parameters of an unnamed function. */
  private nestsDeclarator(): boolean {
    const after = this.peek(1);
    if (after.kind === "punct" && after.text === ")") return false;
    return (after.kind === "keyword" && after.text === "__attribute__") || !this.startsType(1);
  }

  /** suffix = "[" array-size "]" | "(" parameters ")" */
  private suffixes(): { steps: Derivation[]; parameters: ParameterList | undefined } {
    const steps: Derivation[] = [];
    let first: ParameterList | undefined;
    for (;;) {
      this.checkChain(steps.length);
      if (this.at("[") && !this.startsAttribute()) steps.push(this.arraySuffix());
      else if (this.at("(")) {
        const { list, variadic, unprototyped } = this.parameterList();
        if (steps.length === 0) first = list;
        steps.push((ret) => ({
          kind: "function",
          ret,
          params: list.params,
          variadic,
          ...(unprototyped && { unprototyped: true }),
        }));
      } else return { steps, parameters: first };
    }
  }

  /** array-size = ("static" | qualifiers)* (assignment | "*")? */
  private arraySuffix(): Derivation {
    const open = this.next();
    let isStatic = this.accept("static");
    const quals = this.qualifiers([]);
    isStatic = this.accept("static") || isStatic;
    let size: ArrayType["size"];
    let sizeExpr: Expr | undefined;
    if (this.at("*") && this.peek(1).text === "]") {
      this.next();
      size = "*";
    } else if (!this.at("]")) {
      sizeExpr = this.assignment();
      const value = evaluateInteger(sizeExpr);
      if (value !== undefined && value < 0n) {
        this.error("negative-array-size", `the array has ${value} elements`, sizeExpr.span);
      }
      size = value === undefined ? sizeExpr : Number(value);
      if (value === undefined) {
        const known = knownInteger(sizeExpr);
        if (known !== undefined && known > 0n) {
          size = Number(known);
          sizeExpr = undefined;
        }
      }
    }
    this.expect("]", "to close the array size");
    const at = { start: open.loc, end: open.end };
    return (of) => {
      if (canonical(of).kind === "function")
        this.error("array-of-functions", "functions cannot be array elements", at);
      const spelling =
        typeof size === "number" && sizeExpr && !namesVariable(sizeExpr) ? sizeExpr : undefined;
      const array = arrayOf(of, size, spelling);
      return { ...array, ...(isStatic && { static: true }), ...(quals && { quals }) };
    };
  }

  /** parameters = (parameter ("," parameter)* ("," "...")?)? | name ("," name)* */
  private parameterList(): { list: ParameterList; variadic: boolean; unprototyped: boolean } {
    this.next();
    const saved = this.scope;
    const scope = new LexicalScope("prototype", saved);
    this.scope = scope;
    this.enter(BRACKET);
    try {
      if (this.accept(")")) return { list: { params: [], scope }, variadic: false, unprototyped: true };
      if (this.startsUnknownType()) this.unknownType();
      if (this.token.kind === "ident" && !this.startsType(0)) return this.oldStyleNames(scope);
      const params: Param[] = [];
      let variadic = false;
      do {
        if (this.accept("...")) {
          variadic = true;
          break;
        }
        params.push(this.parameter());
      } while (this.accept(","));
      this.expect(")", "to close the parameters");
      const [only] = params;
      const none = params.length === 1 && only && !only.name && isVoid(only.type) && !only.type.quals;
      return { list: { params: none ? [] : params, scope }, variadic, unprototyped: false };
    } finally {
      this.leave(BRACKET);
      this.scope = saved;
    }
  }

  private oldStyleNames(scope: LexicalScope): {
    list: ParameterList;
    variadic: boolean;
    unprototyped: boolean;
  } {
    const names: Token[] = [];
    do names.push(this.expectIdent("a parameter name"));
    while (this.accept(","));
    this.expect(")", "to close the parameters");
    return { list: { params: [], scope, names }, variadic: false, unprototyped: true };
  }

  /** parameter = specifiers (declarator | abstract-declarator)? */
  private parameter(): Param {
    const start = this.token.loc;
    const specs = this.specifiers("in the parameter list");
    const { name, type: written, attrs: own } = this.declarator(specs.type);
    const attrs = [...specs.attrs, ...own];
    const type = adjustParameter(written);
    const shared = { type, ...(type !== written && { written }), ...(attrs.length > 0 && { attrs }) };
    if (!name) return shared;
    const sym = this.parameterSymbol(name, type, this.spanFrom(start), specs.storage);
    if (attrs.length > 0) sym.attrs = attrs;
    const seen = canonical(written);
    if (seen.kind === "array") sym.asArray = seen;
    return { sym, name: name.text, ...shared };
  }

  protected parameterSymbol(name: Token, type: CType, span: Symbol["span"], storage: Storage): Symbol {
    const sym = makeSymbol(name.text, "param", type, "prototype", span, storage);
    if (this.scope.names.has(name.text)) {
      this.error(
        "redeclared",
        `two parameters are named \`${name.text}\``,
        { start: name.loc, end: name.end },
        {
          remedy: "rename one of them",
        },
      );
    }
    this.scope.names.set(name.text, sym);
    return sym;
  }
}

/** Arrays and functions become pointers (C11 6.7.6.3p7, p8). */
export function adjustParameter(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind === "array") return pointerTo(seen.of, type.kind === "array" ? type.quals : undefined);
  if (seen.kind === "function") return pointerTo(type);
  return type;
}
