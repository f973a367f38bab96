/**
 * Types and enumerators that a function declares inside, and its tasks see: a task's own function stands outside, so
 * that they are declared again in it.
 */

import type { ExplicitTask, Site } from "../../../core/ir/model/ir.ts";
import { canonical, isVariablyModified, walkStmt } from "../../../core/lang/index.ts";
import type { CType, DeclStmt, Stmt } from "../../../core/lang/tree/ast.ts";

/** For each task of the function the declarations in whose scope it stands, outermost first. */
export function localTypes(body: Stmt): ReadonlyMap<Site, readonly DeclStmt[]> {
  const found = new Map<Site, readonly DeclStmt[]>();
  const visit = (s: Stmt, around: readonly DeclStmt[]): void =>
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "ext" && child.ext.kind === "explicit-task")
          found.set((child.ext as ExplicitTask).site, around);
        if (child.kind !== "compound") return true;
        let here = around;
        for (const item of child.body) {
          visit(item, here);
          if (item.kind === "decl") here = [...here, ...typesOf(item)];
        }
        return false;
      },
      expr: () => false,
    });
  visit(body, []);
  return found;
}

/** What a declaration says of types; variables have theirs printed where they are used. */
function typesOf(s: DeclStmt): readonly DeclStmt[] {
  const isTypedef = s.decls.length > 0 && s.decls.every(({ sym }) => sym.kind === "typedef");
  if (isTypedef) return s.decls.some(({ sym }) => isVariablyModified(sym.type)) ? [] : [plain(s)];
  const bare = s.bare ?? (s.decls[0] && baseOf(s.decls[0].sym.type));
  const isNamed = bare?.kind === "enum" || (bare?.kind === "record" && bare.decl.tag !== undefined);
  return s.defines.length > 0 && bare && isNamed ? [{ ...plain(s), decls: [], bare }] : [];
}

/** Directives before it stay where they are. */
function plain({ pragmas: _, ...s }: DeclStmt): DeclStmt {
  return s;
}

function baseOf(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind === "pointer") return baseOf(seen.to);
  return seen.kind === "array" ? baseOf(seen.of) : type;
}

/** Lines that declare those of the types whose names the code contains. */
export function typesUsed(
  types: readonly DeclStmt[],
  code: readonly string[],
  lines: (s: Stmt) => readonly string[],
): readonly string[] {
  const words = new Set<string>();
  const read = (text: readonly string[]): void => {
    for (const [word] of text.join("\n").matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  };
  read(code);
  const kept: (readonly string[])[] = [];
  for (const type of types.toReversed()) {
    if (!namesOf(type).some((name) => words.has(name))) continue;
    // A typedef that stands there for an enumerator alone is unused, of which C compilers warn.
    const unused = type.decls.map(({ sym }) => sym.name).filter((name) => !words.has(name));
    const own = lines(type);
    read(own);
    kept.push([...own, ...unused.map((name) => `(void)sizeof(${name});`)]);
  }
  return kept.reverse().flat();
}

const namesOf = ({ decls, defines }: DeclStmt): readonly string[] => [
  ...decls.map(({ sym }) => sym.name),
  ...defines
    .flatMap((d) => [
      d.tag ?? [],
      ...(d.kind === "enum-decl" ? (d.items ?? []).map(({ sym }) => sym.name) : []),
    ])
    .flat(),
];
