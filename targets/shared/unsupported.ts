/** What the region uses and a device has in another form than the host, or not at all. */

import { bare } from "../../core/ir/counted.ts";
import type { CType, Diagnostic, Expr, Loc, RecordDecl, Stmt } from "../../core/lang/ast.ts";
import { canonical, walkStmt } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";
import { calledFunction, mathCall, statementCall } from "./math.ts";

export interface Lacks {
  readonly longDouble?: true;
  readonly bitFields?: true;
  /** Arrays whose size is known when they are declared. */
  readonly variableArrays?: true;
  /** A way to end the program. */
  readonly abort?: true;
  /** Types of gcc's and C11's. */
  readonly types?: readonly ("_Atomic" | "_Complex" | "_Float128" | "vector_size")[];
  /** memcpy and memset whose value is used: as statements they are loops. */
  readonly copiedValue?: true;
  /** Whether it has no such builtin of C compilers; those of <math.h> are not asked for. */
  readonly builtins?: (name: string) => boolean;
  /** The conversion %n of printf. */
  readonly printedCount?: true;
  /** Assembly of the host's processor, expressions and declarations whose type is not spelled. */
  readonly hostForms?: true;
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
    const foreign = foreignName(t);
    if (foreign && lacks.types?.includes(foreign))
      report(
        "error",
        "no-such-type",
        loc,
        `${device} has no '${foreign}'`,
        "use another type in this region",
      );
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
  const statements = new Set<Expr>();
  const called = (e: Expr & { readonly kind: "call" }): void => {
    const name = calledFunction(e) ?? "";
    if (lacks.copiedValue && /^mem(cpy|set)$/.test(name) && !statements.has(e))
      report(
        "error",
        "value-of-copy",
        e.span.start,
        `${device} has no '${name}', and a loop, which stands for it, has no value`,
        "write the call as a statement of its own",
      );
    if (lacks.printedCount && name === "printf" && printsCount(e.args[0]))
      report(
        "error",
        "printed-count",
        e.span.start,
        `printf of ${device} has no %n`,
        "count the characters in another way",
      );
    const builtin = builtinName(e);
    if (builtin && lacks.builtins?.(builtin) && !mathCall(e))
      report("error", "no-builtin", e.span.start, `${device} has no '${builtin}'`, "write what it does in C");
    if (lacks.abort && name === "abort")
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
        const call = statementCall(child);
        if (call) statements.add(call);
        if (child.kind === "asm" && lacks.hostForms)
          report(
            "error",
            "assembly",
            child.span.start,
            `this is assembly of the host's processor, not of ${device}`,
            "write it in C",
          );
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

type Foreign = NonNullable<Lacks["types"]>[number];

function foreignName(t: CType): Foreign | undefined {
  if (t.quals?.atomic) return "_Atomic";
  if (t.kind === "complex") return "_Complex";
  if (t.kind === "vector") return "vector_size";
  return t.kind === "float" && t.name === "float128" ? "_Float128" : undefined;
}

/** Behind `%%` a percent sign begins nothing. */
function printsCount(format: Expr | undefined): boolean {
  const text = format && bare(format);
  return (
    text?.kind === "string" &&
    /%[^%a-zA-Z]*(?:hh?|ll?|[jzt])?n/.test(text.pieces.join("").replaceAll("%%", ""))
  );
}

/** What is spelled as a builtin of C compilers, also under another name in headers. */
function builtinName(e: Expr & { readonly kind: "call" }): string | undefined {
  const callee = bare(e.callee);
  return callee.kind === "ident" && callee.sym.name.startsWith("__builtin_") ? callee.sym.name : undefined;
}

function isVariable(type: CType): boolean {
  const t = canonical(type);
  if (t.kind === "pointer") return isVariable(t.to);
  return t.kind === "array" && (typeof t.size === "object" || isVariable(t.of));
}
