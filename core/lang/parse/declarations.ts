/** Declarations and function definitions (C11 6.7, 6.9), and how they merge into symbols. */

import { Token } from "../preprocess/token.ts";
import type {
  Compound,
  CType,
  Declarator,
  Declared,
  DeclStmt,
  FunctionDef,
  Init,
  Loc,
  Storage,
  Symbol,
} from "../tree/ast.ts";
import { decayed } from "../tree/build.ts";
import { define } from "../tree/functions.ts";
import { constantOf } from "../tree/known-constants.ts";
import { makeSymbol } from "../tree/scope.ts";
import { canonical, compositeType, INT } from "../tree/types.ts";
import type { ParameterList, ParsedDeclarator, Specifiers } from "./declarators.ts";
import { adjustParameter } from "./declarators.ts";
import { InitializerParser } from "./initializers.ts";

/** A symbol while the parser completes it; all other code sees it as read-only. */
type OpenSymbol = { -readonly [K in keyof Symbol]: Symbol[K] };

export abstract class DeclarationParser extends InitializerParser {
  /** Suffix for names of functions defined here, since variants define several bodies under one name. */
  protected definitionSuffix = "";
  /** The parameters of the function whose body comes next are in scope. */
  protected abstract functionBody(name: string): Compound;
  /** Functions and `extern` objects declared in blocks: later declarations at file scope must agree with them. */
  private readonly linked = new Map<string, Symbol>();

  /** declaration = specifiers (init-declarator ("," init-declarator)*)? ";" | function-definition */
  protected declaration(): DeclStmt | FunctionDef {
    const parsed = this.parsedDeclaration();
    return parsed.kind === "function" ? define(parsed) : parsed;
  }

  /** A declaration in a block, where GNU C has nested functions: such a function has no definition for callers. */
  protected blockDeclaration(): DeclStmt {
    const parsed = this.parsedDeclaration();
    if (parsed.kind === "decl") return parsed;
    const { sym, span, defines } = parsed;
    return { kind: "decl", decls: [{ sym, span }], defines, span, nested: parsed };
  }

  private parsedDeclaration(): DeclStmt | FunctionDef {
    const start = this.token.loc;
    const { value, defines } = this.collectDefines(() => this.declarationParts(start));
    if (value.kind === "function") return { ...value, defines };
    return { ...value, defines };
  }

  private declarationParts(start: Loc): DeclStmt | FunctionDef {
    const specs = this.startsOldFunction()
      ? IMPLICIT_INT
      : this.specifiers("at the start of the declaration");
    const decls: Declarator[] = [];
    if (this.accept(";")) {
      if (specs.implied === "int") {
        this.warn("empty-declaration", "this declaration declares nothing", this.spanFrom(start));
      }
      return { kind: "decl", decls, defines: [], bare: specs.type, span: this.spanFrom(start) };
    }
    do {
      const at = this.token.loc;
      const parsed = this.declarator(specs.type, decls.length > 0 ? this.attributes() : []);
      if (!parsed.name) this.fail("syntax", "expected a name in the declaration");
      if (decls.length === 0 && this.startsFunctionBody(parsed))
        return this.functionDefinition(start, specs, parsed);
      if (specs.implied === "int" && specs.storage === "none" && decls.length === 0)
        this.implicitInt(parsed.name);
      decls.push(this.initDeclarator(specs, parsed, at));
    } while (this.accept(","));
    this.expect(";", "after the declaration");
    return { kind: "decl", decls, defines: [], span: this.spanFrom(start) };
  }

  /** C89's `main() { ... }`. */
  private startsOldFunction(): boolean {
    const after = this.peek(1);
    const called = after.kind === "punct" && after.text === "(";
    return this.scope === this.fileScope && this.token.kind === "ident" && called && !this.startsType(0);
  }

  private implicitInt(name: Token): void {
    this.warn("implicit-int", `\`${name.text}\` has no type; int is assumed`, this.spanAt(name), {
      remedy: "write its type",
    });
  }

  /** init-declarator = declarator ("=" initializer)? */
  private initDeclarator(specs: Specifiers, parsed: ParsedDeclarator, start: Loc): Declarator {
    const name = parsed.name as Token;
    const sym = this.declare(specs, parsed, start);
    const declared = hasLinkage(sym) ? declaredBy(specs, parsed) : undefined;
    let init: Init | undefined;
    if (this.accept("=")) {
      const parsedInit = isAutoType(parsed.type)
        ? this.inferredInit(parsed.type, specs.implied === "auto")
        : this.initializer(parsed.type);
      init = parsedInit.init;
      if (parsedInit.type !== parsed.type) sym.type = compositeType(sym.type, parsedInit.type);
      const constant = init.kind === "expr" ? constantOf(sym, init.expr) : undefined;
      if (constant !== undefined) sym.constant = constant;
    }
    const span = this.spanFrom(start);
    if (canonical(sym.type).kind === "void" && sym.kind === "var") {
      this.error("void-variable", `\`${name.text}\` is declared void`, span, {
        remedy: "give it another type",
      });
    }
    return {
      sym,
      ...(init && { init }),
      span,
      ...(declared && { declared: { ...declared, type: init ? sym.type : declared.type } }),
    };
  }

  /** `__auto_type x = e;`, or `auto x = e;`, which was an int before C23. */
  private inferredInit(
    type: CType & { readonly kind: "typeof" },
    isAuto: boolean,
  ): {
    readonly init: Init;
    readonly type: CType;
  } {
    const expr = decayed(this.assignment());
    if (isAuto && canonical(expr.type) !== INT)
      this.error("auto-without-type", "`auto` is the type of the value in C23, and int before", expr.span, {
        remedy: "write the type",
      });
    return { init: { kind: "expr", expr }, type: { ...type, is: expr.type } };
  }

  /** Enters the declared name into the scope, or finds the symbol that it declares again. */
  private declare(specs: Specifiers, parsed: ParsedDeclarator, start: Loc): Symbol {
    const name = parsed.name as Token;
    const isFunction = canonical(parsed.type).kind === "function";
    const kind: Symbol["kind"] = specs.storage === "typedef" ? "typedef" : isFunction ? "function" : "var";
    const span = this.spanFrom(start);
    // Each of clang's overloads is a separate function; the last one declared stands for the name.
    const overload = isOverload(specs, parsed);
    const here = overload ? undefined : this.scope.names.get(name.text);
    const linked =
      kind !== "typedef" && (this.scope === this.fileScope || isFunction || specs.storage === "extern");
    const known = here ?? (linked && !overload ? this.linkedSymbol(name.text) : undefined);
    if (known && this.mayRedeclare(known, kind, linked)) {
      merge(known, specs, parsed);
      this.scope.names.set(name.text, known);
      return known;
    }
    if (here) {
      this.error("redeclared", `\`${name.text}\` is already declared in this scope`, this.spanAt(name), {
        remedy: "rename one of the two",
      });
    }
    const level = linked ? "file" : this.scope.level === "prototype" ? "block" : this.scope.level;
    const sym = makeSymbol(name.text, kind, parsed.type, level, span, specs.storage);
    merge(sym, specs, parsed);
    this.scope.names.set(name.text, sym);
    if (linked && this.scope !== this.fileScope) this.linked.set(name.text, sym);
    return sym;
  }

  private linkedSymbol(name: string): Symbol | undefined {
    const known = this.fileScope.names.get(name);
    return known?.kind === "function" || known?.kind === "var" ? known : this.linked.get(name);
  }

  private mayRedeclare(known: Symbol, kind: Symbol["kind"], linked: boolean): boolean {
    if (known.kind !== kind) return false;
    return kind === "typedef" || kind === "function" || (linked && known.scope === "file");
  }

  private startsFunctionBody(parsed: ParsedDeclarator): boolean {
    if (parsed.type.kind !== "function" || !parsed.parameters) return false;
    return this.at("{") || (parsed.parameters.names !== undefined && this.startsDeclaration());
  }

  /** function-definition = specifiers declarator declaration* compound-statement */
  private functionDefinition(
    start: Loc,
    specs: Specifiers,
    parsed: ParsedDeclarator,
  ): FunctionDef | DeclStmt {
    const written = parsed.name as Token;
    const { kind, loc, length, spaced, offset } = written;
    const name = new Token(kind, `${written.text}${this.definitionSuffix}`, loc, length, spaced, offset);
    const list = parsed.parameters as ParameterList;
    const oldStyle = list.names ? this.oldStyleDeclarations(list) : undefined;
    const type =
      oldStyle && parsed.type.kind === "function" ? { ...parsed.type, params: oldStyle.params } : parsed.type;
    const definition = { ...parsed, name, type };
    const sym = this.declare(specs, definition, start);
    if (sym.definition) this.error("redefined", `\`${name.text}\` has two bodies`, this.spanAt(name));
    if (specs.implied === "int") this.implicitInt(name);
    const params = this.parameterSymbols(type);
    const saved = this.scope;
    this.scope = list.scope;
    try {
      const body = this.functionBody(name.text);
      return {
        kind: "function",
        sym,
        params,
        body,
        ...(oldStyle && { oldStyle: oldStyle.decls }),
        defines: [],
        span: this.spanFrom(start),
        declared: declaredBy(specs, definition),
      };
    } finally {
      this.scope = saved;
    }
  }

  /** Parameters of a definition live in its outermost block. */
  private parameterSymbols(type: CType): Symbol[] {
    const symbols: Symbol[] = [];
    for (const param of type.kind === "function" ? type.params : []) {
      if (!param.sym) {
        this.warn(
          "unnamed-parameter",
          "a parameter of this definition has no name",
          this.spanFrom(this.token.loc),
        );
        continue;
      }
      (param.sym as OpenSymbol).scope = "block";
      symbols.push(param.sym);
    }
    return symbols;
  }

  /** K&R: `f(a, b) int a; char *b;`. Names without a declaration are int. */
  private oldStyleDeclarations(list: ParameterList): {
    decls: DeclStmt[];
    params: { sym: Symbol; name: string; type: CType }[];
  } {
    const saved = this.scope;
    this.scope = list.scope;
    const decls: DeclStmt[] = [];
    try {
      while (!this.at("{")) {
        decls.push(this.blockDeclaration());
      }
    } finally {
      this.scope = saved;
    }
    const params = (list.names ?? []).map((name) => {
      let sym = list.scope.names.get(name.text) as OpenSymbol | undefined;
      if (!sym) {
        sym = makeSymbol(name.text, "param", INT, "block", this.spanAt(name));
        list.scope.names.set(name.text, sym);
      }
      sym.kind = "param";
      sym.type = adjustParameter(sym.type);
      return { sym, name: name.text, type: sym.type };
    });
    return { decls, params };
  }
}

const isAutoType = (type: CType): type is CType & { readonly kind: "typeof" } =>
  type.kind === "typeof" && !type.expr && !type.of;

const IMPLICIT_INT: Specifiers = {
  type: INT,
  storage: "none",
  threadLocal: false,
  inline: false,
  noreturn: false,
  attrs: [],
  implied: "int",
};

const isOverload = (specs: Specifiers, parsed: ParsedDeclarator): boolean =>
  [...specs.attrs, ...parsed.attrs].some(({ name }) => /^_*overloadable_*$/.test(name));

const hasLinkage = (sym: Symbol): boolean => sym.scope === "file" && sym.kind !== "typedef";

function declaredBy(specs: Specifiers, parsed: ParsedDeclarator): Declared {
  const attrs = [...specs.attrs, ...parsed.attrs];
  return {
    type: parsed.type,
    storage: specs.storage,
    ...(specs.threadLocal && { threadLocal: true }),
    ...(specs.inline && { inline: true }),
    ...(specs.noreturn && { noreturn: true }),
    ...(attrs.length > 0 && { attrs }),
    ...(parsed.asmLabel !== undefined && { asmLabel: parsed.asmLabel }),
  };
}

/** Merges a further declaration into its symbol. */
function merge(sym: Symbol, specs: Specifiers, parsed: ParsedDeclarator): void {
  if (sym.type !== parsed.type && sym.kind !== "typedef") sym.type = compositeType(sym.type, parsed.type);
  // `static` persists, and a definition without `extern` overrides the header's declaration.
  if (sym.storage !== "static") sym.storage = mergedStorage(sym, specs.storage);
  if (specs.threadLocal) sym.threadLocal = true;
  if (specs.inline) sym.inline = true;
  if (specs.noreturn) sym.noreturn = true;
  const before = sym.attrs ?? [];
  // What an earlier declaration says, too, is said once.
  const added = [...specs.attrs, ...parsed.attrs].filter(
    ({ name, args }) => !before.some((one) => one.name === name && one.args === args),
  );
  if (before.length + added.length > 0) sym.attrs = [...before, ...added];
  if (parsed.asmLabel !== undefined) sym.asmLabel = parsed.asmLabel;
}

function mergedStorage(sym: Symbol, storage: Storage): Storage {
  if (storage === "extern" && sym.kind === "var" && sym.storage === "none") return "none";
  return storage;
}
