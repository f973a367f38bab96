/** What the region uses and a device has in another form than the host, or not at all. */

import { bare } from "../../core/ir/counted.ts";
import { asNode } from "../../core/ir/ir.ts";
import type { CType, Diagnostic, Expr, FloatKind, Loc, RecordDecl, Stmt } from "../../core/lang/ast.ts";
import { canonical, leadsToFunction, walkStmt } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";
import { calledFunction, mathCall, statementCall } from "./math.ts";

export interface Lacks {
  readonly longDouble?: true;
  readonly functionPointers?: true;
  /** Arrays whose size is known when they are declared. */
  readonly variableArrays?: true;
  /** A way to end the program. */
  readonly abort?: true;
  /** Types of gcc's and C11's. */
  readonly types?: readonly ("_Atomic" | "_Complex" | "_Float128" | "_Float16" | "__bf16" | "vector_size")[];
  /** memcpy and memset whose value is used: as statements they are loops. */
  readonly copiedValue?: true;
  /** Whether it has no such builtin of C compilers; those of <math.h> are not asked for. */
  readonly builtins?: (name: string) => boolean;
  /** The conversion %n of printf. */
  readonly printedCount?: true;
  /** Formats of printf, and strings that it prints, that are no literals. */
  readonly printedStrings?: true;
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
    if (t.kind === "function" && lacks.functionPointers)
      report(
        "error",
        "function-pointer",
        loc,
        `${device} has no pointers to functions`,
        "call the function by its name",
      );
    if (t.kind === "pointer") visit(t.to, loc);
    if (t.kind === "array" || t.kind === "vector") visit(t.of, loc);
    if (t.kind !== "record" || seen.has(t.decl)) return;
    seen.add(t.decl);
    for (const f of t.decl.fields ?? []) {
      // OpenCL's are written as what they take up.
      if (!leadsToFunction(f.type)) visit(f.type, loc);
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
    const string = lacks.printedStrings && name === "printf" ? printedVariable(e.args) : undefined;
    if (string)
      report(
        "error",
        "printed-string",
        e.span.start,
        `printf of ${device} takes literals for its format and for %s`,
        "write a printf for each string, or print its characters with %c",
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
  const callees = new Set<Expr>();
  const named = (e: Expr & { readonly kind: "ident" }): void => {
    if (e.sym.kind === "function" && !callees.has(e))
      report(
        "error",
        "function-address",
        e.span.start,
        `${device} has no addresses of functions, and this is used as one`,
        "call it by its name",
      );
  };
  const code = (s: Stmt): void =>
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl") for (const d of child.decls) declared(d.sym.type, d.span.start);
        const target = asNode(child, "atomic")?.target;
        if (target && !isObject(bare(target)))
          report(
            "error",
            "atomic-bit-field",
            target.span.start,
            "this bit-field has no address, and atomic operations are told one",
            "use a whole member",
          );
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
        if (!callees.has(e)) visit(e.type, e.span.start);
        if (e.kind === "call") {
          callees.add(e.callee).add(bare(e.callee));
          called(e);
        }
        if (e.kind === "ident") named(e);
      },
    });
  for (const f of region.functions) {
    for (const p of f.params) declared(p.sym.type, p.sym.span.start);
    code(f.body);
  }
  const site: Loc = { file: region.site.file, line: region.site.line, col: 1 };
  for (const k of region.kernels) {
    for (const s of k.body) code(s);
    for (const p of k.params) visit(p.sym.type, site);
  }
  return [...found.values()];
}

/** Bit-fields are computed where a language has none. */
const isObject = (e: Expr): boolean =>
  (e.kind === "member" && e.field?.bits === undefined) ||
  e.kind === "ident" ||
  e.kind === "index" ||
  (e.kind === "unary" && e.op === "*");

type Foreign = NonNullable<Lacks["types"]>[number];

const foreignFloats: Partial<Record<FloatKind, Foreign>> = {
  float16: "_Float16",
  bfloat16: "__bf16",
  float128: "_Float128",
};

function foreignName(t: CType): Foreign | undefined {
  if (t.quals?.atomic) return "_Atomic";
  if (t.kind === "complex") return "_Complex";
  if (t.kind === "vector") return "vector_size";
  return t.kind === "float" ? foreignFloats[t.name] : undefined;
}

/** Behind `%%` a percent sign begins nothing. */
function printsCount(format: Expr | undefined): boolean {
  const text = format && bare(format);
  return (
    text?.kind === "string" &&
    /%[^%a-zA-Z]*(?:hh?|ll?|[jzt])?n/.test(text.pieces.join("").replaceAll("%%", ""))
  );
}

/** A format that is no literal, or what %s of one prints that is none. */
function printedVariable([format, ...values]: readonly Expr[]): Expr | undefined {
  const text = format && bare(format);
  if (text?.kind !== "string") return format;
  const taken =
    text.pieces
      .join("")
      .replaceAll("%%", "")
      .match(/%[^%a-zA-Z]*(?:hh?|ll?|[jzt])?[a-zA-Z]/g) ?? [];
  // A width or precision that is an argument stands in front of its conversion.
  const letters = taken.flatMap((t) => [...t].filter((c, k) => c === "*" || k === t.length - 1));
  return values.find((value, k) => letters[k] === "s" && bare(value).kind !== "string");
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
