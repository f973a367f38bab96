/** Constructs in the region that a device supports in another form than the host, or not at all. */

import { hasEffects } from "../../../core/ir/analysis/purity.ts";
import { isConstant } from "../../../core/ir/analysis/routines.ts";
import { libraryFile } from "../../../core/ir/model/c-library.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  isDataPointer,
  isVariablyModified,
  leadsToFunction,
  sizeOf,
  walkStmt,
} from "../../../core/lang/index.ts";
import type {
  CType,
  Diagnostic,
  Expr,
  FloatKind,
  Loc,
  RecordDecl,
  Stmt,
  Symbol,
} from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { LoweredRegion } from "../device/device.ts";
import { calledFunction, complexCall, mathCall, statementCall } from "../device/math.ts";
import { printedAs } from "../device/printf.ts";

type Call = Expr & { readonly kind: "call" };

interface Lacks {
  readonly longDouble?: true;
  readonly functionPointers?: true;
  /** Arrays whose size is computed at run time. */
  readonly variableArrays?: true;
  /** Structs and unions without members: gcc's have no size. */
  readonly emptyRecords?: true;
  /** Calls that end the program; those that say with which status. */
  readonly abort?: true;
  readonly exit?: true;
  /** A clock that kernels can read. */
  readonly clock?: true;
  /** Memory allocation in a kernel. */
  readonly heap?: true;
  /** Types of gcc and C11. */
  readonly types?: readonly Foreign[];
  /** Complex numbers are records there, and their operators functions. */
  readonly complexRecords?: true;
  /** memcpy and memset whose value is used: as statements they become loops. */
  readonly copiedValue?: true;
  /** Whether it lacks this builtin of C compilers; not called for those of <math.h>. */
  readonly builtins?: (name: string) => boolean;
  /** The conversion %n of printf. */
  readonly printedCount?: true;
  /** Formats and string arguments of printf that are no literals. */
  readonly printedStrings?: true;
  /** Host assembly, and expressions and declarations whose type cannot be spelled. */
  readonly hostForms?: true;
}

/** One diagnostic per kind of thing, at its first use. */
export function unsupported(region: LoweredRegion, device: string, lacks: Lacks): Diagnostic[] {
  const { file, line } = region.site;
  const search = new Search(device, lacks, { file, line, col: 1 });
  for (const f of region.functions) {
    for (const p of f.params) search.declaration(p.sym, p.sym.span.start);
    search.code(f.body);
  }
  for (const k of region.kernels) {
    for (const s of k.body) search.code(s);
    for (const p of k.params) search.type(p.sym.type, search.site);
  }
  return [...search.found.values(), ...hostAddresses(region)];
}

/**
 * Constant tables of host addresses, mostly of strings, which are not translated to device addresses. A constant
 * pointer is no table: it is passed as an argument, and arguments are translated.
 */
function hostAddresses({ arguments: passed }: LoweredRegion): Diagnostic[] {
  const tables = passed.filter(
    ({ sym, item, how }) =>
      how === "buffer" &&
      item.mapping.vis === "implicit" &&
      canonical(sym.type).kind !== "pointer" &&
      isConstant(sym.type) &&
      holdsPointers(sym.type),
  );
  return tables.map(({ sym, item }) => ({
    severity: "warning",
    code: "host-addresses",
    loc: item.loc,
    message: `'${sym.name}' is a constant table of addresses in the host's memory, and this region reads it`,
    remedy:
      "declare it in the region, or in the function that uses it; strings may also be rows: char names[][16]",
  }));
}

function holdsPointers(type: CType): boolean {
  const c = canonical(type);
  if (c.kind === "array") return holdsPointers(c.of);
  return (
    isDataPointer(c) || (c.kind === "record" && (c.decl.fields ?? []).some((f) => holdsPointers(f.type)))
  );
}

class Search {
  readonly found = new Map<string, Diagnostic>();
  private readonly device: string;
  private readonly lacks: Lacks;
  /** The region's location, reported for code without one. */
  readonly site: Loc;
  private readonly records = new Set<RecordDecl>();
  /** Callees, and calls whose value is not used. */
  private readonly callees = new Set<Expr>();
  private readonly statements = new Set<Expr>();

  constructor(device: string, lacks: Lacks, site: Loc) {
    this.device = device;
    this.lacks = lacks;
    this.site = site;
  }

  private report(code: string, loc: Loc, message: string, remedy: string): void {
    const at = loc.line > 0 ? loc : this.site;
    if (!this.found.has(code)) this.found.set(code, { severity: "error", code, loc: at, message, remedy });
  }

  code(s: Stmt): void {
    walkStmt(s, { stmt: (child) => this.statement(child), expr: (e) => this.expression(e) });
  }

  // -------------------------------------------------------------- types

  type(type: CType, loc: Loc): void {
    const { device, lacks } = this;
    const t = canonical(type);
    if ((t.kind === "float" || t.kind === "complex") && t.name === "ldouble" && lacks.longDouble)
      this.report("long-double", loc, `${device} has no 'long double'`, "use double in this region");
    const foreign = foreignName(t);
    if (foreign && lacks.types?.includes(foreign))
      this.report("no-such-type", loc, `${device} has no '${foreign}'`, insteadOf(foreign));
    if (t.kind === "function" && lacks.functionPointers)
      this.report(
        "function-pointer",
        loc,
        `${device} has no pointers to functions`,
        "call the function by its name",
      );
    if (t.kind === "pointer") this.type(t.to, loc);
    if (t.kind === "array" || t.kind === "vector") this.type(t.of, loc);
    if (t.kind !== "record" || this.records.has(t.decl)) return;
    this.records.add(t.decl);
    if (lacks.emptyRecords && sizeOf(t) === 0)
      this.report(
        "empty-record",
        loc,
        `a struct without members has no size in C, and one byte in ${device}`,
        "give it a member, or leave it out",
      );
    for (const f of t.decl.fields ?? []) {
      // Pointers to functions become integers of their size.
      if (!leadsToFunction(f.type)) this.type(f.type, loc);
    }
  }

  /** Checks a variable. */
  declaration({ name, type }: Pick<Symbol, "name" | "type">, loc: Loc): void {
    this.type(type, loc);
    if (this.lacks.variableArrays && isVariablyModified(type))
      this.report(
        "variable-array",
        loc,
        `the size of '${name.replace(/_own$/, "")}' is known only when the program runs, and ${this.device} has no such arrays`,
        "give it the largest size that is needed, as a constant, or map an array that has a row for each iteration",
      );
  }

  // -------------------------------------------------------------- code

  private statement(s: Stmt): void {
    if (s.kind === "decl") for (const d of s.decls) this.declaration(d.sym, d.span.start);
    const target = asNode(s, "atomic")?.target;
    if (target && !isObject(stripImplicit(target)))
      this.report(
        "atomic-bit-field",
        target.span.start,
        "this bit-field has no address, and atomic operations are told one",
        "use a whole member",
      );
    if (target && this.lacks.complexRecords && isComplex(target.type))
      this.report(
        "atomic-complex",
        target.span.start,
        `${this.device} has no atomic operations on complex numbers`,
        "update the real and the imaginary part each, or say reduction",
      );
    const call = statementCall(s);
    if (call) this.statements.add(call);
    if (s.kind === "asm" && this.lacks.hostForms)
      this.report(
        "assembly",
        s.span.start,
        `this is assembly of the host's processor, not of ${this.device}`,
        "write it in C",
      );
  }

  private expression(e: Expr): void {
    if (!this.callees.has(e)) this.type(e.type, e.span.start);
    if (e.kind === "call") {
      this.callees.add(e.callee).add(stripImplicit(e.callee));
      this.call(e);
    }
    if (this.lacks.complexRecords && isUnprintableChange(e))
      this.report(
        "complex-change",
        e.span.start,
        `${this.device} has no complex numbers: this change of one would compute its place twice`,
        "compute the place in front of it, and write `z = z + x`",
      );
    if (e.kind === "ident" && e.sym.kind === "function" && !this.callees.has(e))
      this.report(
        "function-address",
        e.span.start,
        `${this.device} has no addresses of functions, and this is used as one`,
        "call it by its name",
      );
  }

  private call(e: Call): void {
    const { device, lacks } = this;
    const name = calledFunction(e) ?? "";
    const loc = e.span.start;
    if (lacks.copiedValue && /^mem(cpy|set)$/.test(name) && !this.statements.has(e))
      this.report(
        "value-of-copy",
        loc,
        `${device} has no '${name}', and a loop, which stands for it, has no value`,
        "write the call as a statement of its own",
      );
    if (lacks.complexRecords && /^ca(sin|cos|tan)h?$/.test(complexCall(e)?.name ?? ""))
      this.report("no-builtin", loc, `${device} has no '${name}'`, "write what it does in C");
    if (name === "printf") this.printf(e);
    const builtin = builtinName(e);
    // Those whose results are exact are functions of floats by now.
    const isOfHalves = builtin?.endsWith("f16");
    const isKnown = mathCall(e) !== undefined || complexCall(e) !== undefined;
    if (builtin && (isOfHalves || (lacks.builtins?.(builtin) && !isKnown)))
      this.report("no-builtin", loc, `${device} has no '${builtin}'`, "write what it does in C");
    if (lacks.abort && name === "abort")
      this.report(
        "no-abort",
        loc,
        `${device} cannot end the program`,
        "set a flag that the host looks at behind the region",
      );
    if ((lacks.abort || lacks.exit) && name === "exit")
      this.report(
        "no-exit",
        loc,
        `${device} cannot end the program with a status`,
        "set a flag that the host looks at behind the region",
      );
    if (lacks.clock && /^omp_get_wti(me|ck)$/.test(name))
      this.report(
        "no-clock",
        loc,
        `${device} has no clock that kernels can read, and '${name}' needs one`,
        "call it in front of the region and behind it",
      );
    if (lacks.abort && name === "__assert_fail")
      this.report(
        "no-assert",
        loc,
        `${device} cannot end the program, as 'assert' does where its condition does not hold`,
        "set a flag that the host looks at behind the region, or compile with -DNDEBUG",
      );
    if (lacks.heap && loc.file !== libraryFile && /^(arc_)?(malloc|calloc|free)$/.test(name))
      this.report(
        "no-heap",
        loc,
        `${device} has no '${name.replace(/^arc_/, "")}': kernels cannot allocate memory`,
        "allocate it in front of the region for all iterations, or declare an array of the largest size",
      );
  }

  private printf({ args: [format, ...values], span }: Call): void {
    const { device, lacks } = this;
    const letters = printedAs(format);
    if (lacks.printedCount && letters?.includes("n"))
      this.report(
        "printed-count",
        span.start,
        `printf of ${device} has no %n`,
        "count the characters in another way",
      );
    const isLiteral = values.every(
      (value, k) => letters?.[k] !== "s" || stripImplicit(value).kind === "string",
    );
    if (lacks.printedStrings && (!letters || !isLiteral))
      this.report(
        "printed-string",
        span.start,
        `printf of ${device} takes literals for its format and for %s`,
        "write a printf for each string, or print its characters with %c",
      );
  }
}

/** Whether it is an object; bit-fields are not, as some languages compute them with shifts and masks. */
const isObject = (e: Expr): boolean =>
  (e.kind === "member" && e.field?.bits === undefined) ||
  e.kind === "ident" ||
  e.kind === "index" ||
  (e.kind === "unary" && e.op === "*");

const isComplex = (type: CType): boolean => canonical(type).kind === "complex";

/** A change whose place would be computed twice although that has effects, or whose old value is used. */
function isUnprintableChange(e: Expr): boolean {
  if (e.kind === "incdec") return isComplex(e.arg.type) && (hasEffects(e.arg) || !e.prefix);
  if (e.kind !== "assign" || e.op === "=") return false;
  return (isComplex(e.left.type) || isComplex(e.right.type)) && hasEffects(e.left);
}

type Foreign =
  | "_Atomic"
  | "_Complex"
  | "_Float16 _Complex"
  | "_Float128"
  | "_Float16"
  | "__bf16"
  | "vector_size";

const foreignFloats: Partial<Record<FloatKind, Foreign>> = {
  float16: "_Float16",
  bfloat16: "__bf16",
  float128: "_Float128",
};

function foreignName(t: CType): Foreign | undefined {
  if (t.quals?.atomic) return "_Atomic";
  if (t.kind === "complex") return t.name === "float16" ? "_Float16 _Complex" : "_Complex";
  if (t.kind === "vector") return "vector_size";
  return t.kind === "float" ? foreignFloats[t.name] : undefined;
}

/** gcc may compute these with the digits of float, which not every device does in the same way. */
const insteadOf = (type: Foreign): string =>
  type === "_Float16" || type === "__bf16"
    ? "compute in float, and convert in front of the region and behind it"
    : "use another type in this region";

/** The name of a call spelled as a compiler builtin, also if a header defines another name for it. */
function builtinName(e: Call): string | undefined {
  const callee = stripImplicit(e.callee);
  return callee.kind === "ident" && callee.sym.name.startsWith("__builtin_") ? callee.sym.name : undefined;
}
