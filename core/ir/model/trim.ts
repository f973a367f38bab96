/** Removes declarations of headers that the unit's own file does not need, so that the output is readable. */

import { isExpr, walkExpr, walkStmt } from "../../lang/index.ts";
import type {
  CType,
  EnumDecl,
  Expr,
  External,
  FunctionDef,
  OffsetPath,
  RecordDecl,
  Stmt,
  Symbol,
} from "../../lang/tree/ast.ts";
import type { Program } from "./program.ts";

/** Something that an external declares and others may need. */
type Declared = Symbol | RecordDecl | EnumDecl;

/** The unit reduced to its main file, all functions with nodes, and what these mention. */
export function trimmed(program: Program): Program {
  const { unit } = program;
  const mentions = new Map(unit.externals.map((e) => [e, mentionsOf(e)]));
  const homes = new Map<Declared, External[]>();
  for (const [external, { declared, mentioned }] of mentions) {
    for (const d of declared) homes.set(d, [...(homes.get(d) ?? []), external]);
    // The first mention of a tag declares it in the scope where it appears.
    for (const d of mentioned) if (isTag(d) && !homes.has(d)) homes.set(d, [external]);
  }
  const retained = new Set<External>();
  const keep = (external: External): void => {
    if (retained.has(external)) return;
    retained.add(external);
    for (const d of mentions.get(external)?.mentioned ?? [])
      for (const home of homes.get(d) ?? []) keep(home);
  };
  for (const external of unit.externals) if (isRoot(external, unit.file)) keep(external);
  for (const { items } of program.declares)
    for (const { sym } of items) for (const home of homes.get(sym) ?? []) keep(home);
  const externals = unit.externals.filter((e) => retained.has(e));
  const routines = [...program.routines].filter(([sym]) => homes.get(sym)?.some((e) => retained.has(e)));
  return { ...program, unit: { ...unit, externals }, routines: new Map(routines) };
}

const isTag = (d: Declared): d is RecordDecl | EnumDecl => d.kind === "record-decl" || d.kind === "enum-decl";

function isRoot(external: External, file: string): boolean {
  if (external.span.start.file === file || external.kind === "asm") return true;
  // Layouts depend on it.
  if (external.kind === "pragma") return external.tokens[0]?.text === "pack";
  return external.kind === "function" && hasNodes(external.body);
}

function hasNodes(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt: (s) => {
      found ||= s.kind === "ext";
      return !found;
    },
    expr: () => false,
  });
  return found;
}

interface Mentions {
  readonly declared: readonly Declared[];
  readonly mentioned: ReadonlySet<Declared>;
}

/** What an external declares, and what of others it names. */
export function mentionsOf(external: External): Mentions {
  const collector = new Collector();
  if (external.kind === "function") collector.functionDef(external);
  else if (external.kind === "decl") collector.stmt(external);
  const defines = external.kind === "function" || external.kind === "decl" ? external.defines : [];
  const enumerators = defines.flatMap((d) =>
    d.kind === "enum-decl" ? (d.items ?? []).map((i) => i.sym) : [],
  );
  const names =
    external.kind === "function"
      ? [external.sym]
      : external.kind === "decl"
        ? external.decls.map((d) => d.sym)
        : [];
  const bare = external.kind === "decl" ? external.bare : undefined;
  const tag = bare?.kind === "record" || bare?.kind === "enum" ? [bare.decl] : [];
  return { declared: [...names, ...defines, ...tag, ...enumerators], mentioned: collector.found };
}

class Collector {
  readonly found = new Set<Declared>();

  functionDef(def: FunctionDef): void {
    this.type(def.sym.type);
    this.defined(def.defines);
    for (const param of def.params) this.type(param.type);
    for (const s of def.oldStyle ?? []) this.stmt(s);
    this.stmt(def.body);
  }

  stmt(s: Stmt): void {
    walkStmt(s, this.visitor);
  }

  private defined(defines: readonly (RecordDecl | EnumDecl)[]): void {
    for (const d of defines) {
      if (d.kind === "record-decl")
        for (const field of d.fields ?? []) {
          this.type(field.type);
          if (field.bits) walkExpr(field.bits, this.visitor);
        }
      else for (const { expr } of d.items ?? []) if (expr) walkExpr(expr, this.visitor);
    }
  }

  private type(type: CType): void {
    switch (type.kind) {
      case "pointer":
        return this.type(type.to);
      case "array":
        if (typeof type.size === "object") walkExpr(type.size, this.visitor);
        if (type.sizeExpr) walkExpr(type.sizeExpr, this.visitor);
        return this.type(type.of);
      case "vector":
        return this.type(type.of);
      case "function":
        this.type(type.ret);
        for (const param of type.params) this.type(param.written ?? param.type);
        return;
      case "record":
      case "enum":
        this.found.add(type.decl);
        // A record without a tag is defined only by this mention.
        if (type.decl.tag === undefined) this.defined([type.decl]);
        return;
      case "typedef":
        this.found.add(type.sym);
        return;
      case "typeof":
        if (type.expr) walkExpr(type.expr, this.visitor);
        if (type.of) this.type(type.of);
        return this.type(type.is);
    }
  }

  private argument(arg: Expr | CType | OffsetPath): void {
    if (arg.kind !== "offset-path" && !isExpr(arg)) this.type(arg);
  }

  private readonly visitor = {
    stmt: (s: Stmt): void => {
      if (s.kind !== "decl") return;
      this.defined(s.defines);
      if (s.bare) this.type(s.bare);
      for (const { sym, declared } of s.decls) {
        this.type(sym.type);
        if (declared) this.type(declared.type);
      }
    },
    expr: (e: Expr): void => {
      switch (e.kind) {
        case "ident":
          this.found.add(e.sym);
          return;
        case "cast":
          if (!e.implicit) this.type(e.to);
          return;
        case "compound":
          this.type(e.of);
          return;
        case "sizeof":
        case "alignof":
          if (e.of) this.type(e.of);
          return;
        case "generic":
          this.generic(e);
          return;
        case "builtin":
          for (const arg of e.args) this.argument(arg);
      }
      if (e.defines) this.defined(e.defines);
    },
  };

  /** All associations are printed, although only one is selected. */
  private generic(e: Expr & { readonly kind: "generic" }): void {
    walkExpr(e.control, this.visitor);
    for (const { of, value } of e.assocs) {
      if (of) this.type(of);
      walkExpr(value, this.visitor);
    }
  }
}
