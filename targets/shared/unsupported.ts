/** What the region uses and a device has in another form than the host, or not at all. */
import type { CType, Diagnostic, Expr, Loc, RecordDecl, Stmt } from "../../core/lang/ast.ts";
import { canonical, walkStmt } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";
import { calledFunction } from "./math.ts";

export interface Lacks {
  readonly longDouble?: true;
  readonly bitFields?: true;
  /** Arrays whose size is known when they are declared. */
  readonly variableArrays?: true;
  /** A way to end the program. */
  readonly abort?: true;
}

/** One diagnostic per kind of thing, at its first use. */
export function unsupported(region: LoweredRegion, device: string, lacks: Lacks): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const seen = new Set<RecordDecl>();
  const report = (
    severity: Diagnostic["severity"],
    code: string,
    loc: Loc,
    message: string,
    remedy: string,
  ) => {
    if (!found.has(code)) found.set(code, { severity, code, loc, message, remedy });
  };
  const visit = (type: CType, loc: Loc): void => {
    const t = canonical(type);
    if ((t.kind === "float" || t.kind === "complex") && t.name === "ldouble" && lacks.longDouble)
      report("error", "long-double", loc, `${device} has no 'long double'`, "use double in this region");
    if (t.kind === "pointer") visit(t.to, loc);
    if (t.kind === "array" || t.kind === "vector") visit(t.of, loc);
    if (t.kind !== "record" || seen.has(t.decl)) return;
    seen.add(t.decl);
    for (const f of t.decl.fields ?? []) {
      if (f.bits && lacks.bitFields)
        report(
          "error",
          "bit-field",
          f.span.start,
          `${device} has no bit-fields`,
          "use whole members in structs of the region, or copy what it needs to other variables",
        );
      visit(f.type, loc);
    }
  };
  const declared = (type: CType, loc: Loc): void => {
    visit(type, loc);
    if (lacks.variableArrays && isVariable(type))
      report(
        "error",
        "variable-array",
        loc,
        `the size of this is known only when the program runs, and ${device} has no such arrays`,
        "give it the largest size that is needed, or declare it before the region and name it in private or create",
      );
  };
  const called = (e: Expr & { readonly kind: "call" }): void => {
    if (lacks.abort && calledFunction(e) === "abort")
      report(
        "error",
        "no-abort",
        e.span.start,
        `${device} cannot end the program`,
        "set a flag that the host looks at behind the region",
      );
  };
  const code = (s: Stmt): void =>
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl") for (const d of child.decls) declared(d.sym.type, d.span.start);
      },
      expr(e) {
        visit(e.type, e.span.start);
        if (e.kind === "call") called(e);
      },
    });
  for (const f of region.functions) code(f.body);
  const site: Loc = { file: region.site.file, line: region.site.line, col: 1 };
  for (const k of region.kernels) {
    for (const s of k.body) code(s);
    for (const p of k.params) visit(p.sym.type, site);
  }
  return [...found.values()];
}

function isVariable(type: CType): boolean {
  const t = canonical(type);
  if (t.kind === "pointer") return isVariable(t.to);
  return t.kind === "array" && (typeof t.size === "object" || isVariable(t.of));
}
