/** The typedefs, records and enums that kernel text must define, in an order that C accepts. */

import { canonical, isVariablyModified, NOWHERE, walkStmt } from "../../../core/lang/index.ts";
import type {
  CType,
  DeclStmt,
  EnumDecl,
  IntKind,
  RecordDecl,
  Stmt,
  Symbol,
} from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../device/device.ts";

/** For dialects with predefined typedefs: the type of each name. */
export function predefined(types: Readonly<Record<string, IntKind>>): (name: string, type: CType) => boolean {
  return (name, type) => {
    const c = canonical(type);
    const own = Object.hasOwn(types, name) ? types[name] : undefined;
    return own !== undefined && c.kind === "int" && c.name === own;
  };
}

interface TypeDefinition {
  readonly type: Symbol | RecordDecl;
  /** The source name; for a record without a tag, the typedef's. */
  readonly name: string;
  readonly stmt: DeclStmt;
}

/** `skip`: typedefs that the target language already has. */
export function typeClosure(
  region: LoweredRegion,
  skip: (name: string, type: CType) => boolean,
): TypeDefinition[] {
  const out: TypeDefinition[] = [];
  const done = new Set<Symbol | RecordDecl | EnumDecl>();
  const typedefs = new Map<RecordDecl, string>();

  const members = (decl: RecordDecl): void => {
    for (const { name, type } of decl.fields ?? [])
      if (name === undefined && type.kind === "record" && !type.decl.tag) members(type.decl);
      else visit(type);
  };
  const record = (decl: RecordDecl): void => {
    if (done.has(decl)) return;
    done.add(decl);
    members(decl);
    const bare: CType = { kind: "record", decl };
    const stmt: DeclStmt = { kind: "decl", decls: [], defines: [decl], bare, span: NOWHERE };
    out.push({ type: decl, name: decl.tag ?? typedefs.get(decl) ?? "unnamed", stmt });
  };
  const visit = (type: CType): void => {
    switch (type.kind) {
      case "pointer": {
        // A record may point to itself.
        const to = type.to;
        if (to.kind === "record" && done.has(to.decl)) return;
        return visit(to);
      }
      case "array":
      case "vector":
        return visit(type.of);
      case "function":
        visit(type.ret);
        for (const p of type.params) visit(p.type);
        return;
      case "record":
        return record(type.decl);
      case "typedef": {
        if (done.has(type.sym) || skip(type.sym.name, type.sym.type)) return;
        done.add(type.sym);
        const under = type.sym.type;
        if (under.kind === "record") typedefs.set(under.decl, type.sym.name);
        visit(under);
        // It is defined where its size is computed.
        if (isVariablyModified(under)) return;
        const decls = [{ sym: type.sym, span: NOWHERE }];
        out.push({
          type: type.sym,
          name: type.sym.name,
          stmt: { kind: "decl", decls, defines: [], span: NOWHERE },
        });
        return;
      }
      case "typeof":
        return visit(type.is);
      default:
        return;
    }
  };
  const code = (s: Stmt): void =>
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl") for (const d of child.decls) visit(d.sym.type);
      },
      expr(e) {
        if (e.kind === "cast" && !e.implicit) visit(e.to);
        if (e.kind === "compound") visit(e.of);
        if ((e.kind === "sizeof" || e.kind === "alignof") && e.of) visit(e.of);
      },
    });
  for (const f of region.functions) {
    visit(f.def.sym.type);
    for (const p of f.params) visit(p.sym.type);
    code(f.body);
  }
  for (const k of region.kernels) {
    for (const p of k.params) visit(p.sym.type);
    for (const s of k.shared) visit(s.type);
    for (const s of k.body) code(s);
  }
  return out;
}
