/** Types of the region that a device has in another form than the host, or not at all. */
import type { CType, Diagnostic, Loc, RecordDecl, Stmt } from "../../core/lang/ast.ts";
import { canonical, walkStmt } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";

export interface Lacks {
  readonly longDouble?: true;
  readonly bitFields?: true;
}

/** One diagnostic per kind of type, at its first use. */
export function unsupportedTypes(region: LoweredRegion, device: string, lacks: Lacks): Diagnostic[] {
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
  const code = (s: Stmt): void =>
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl") for (const d of child.decls) visit(d.sym.type, d.span.start);
      },
      expr: (e) => visit(e.type, e.span.start),
    });
  for (const f of region.functions) code(f.body);
  const site: Loc = { file: region.site.file, line: region.site.line, col: 1 };
  for (const k of region.kernels) {
    for (const s of k.body) code(s);
    for (const p of k.params) visit(p.sym.type, site);
  }
  return [...found.values()];
}
