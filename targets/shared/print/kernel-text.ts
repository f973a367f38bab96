/** Prints lowered regions. All differences between kernel languages are in a `Dialect`. */

import { firstOf } from "../../../core/checked/access.ts";
import { asciiName } from "../../../core/ir/model/ascii-names.ts";
import { type Atomic, asNode } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  excess,
  intKind,
  type PrintOptions,
  printDecl,
  printExpr,
  printExternal,
  printStmt,
  ULLONG,
  underlying,
  unqualified,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Pragma, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { cast, intLit } from "../../../core/lang/tree/build.ts";
import type {
  Exchange,
  GroupReduce,
  Kernel,
  KernelFunction,
  LastGroup,
  LoweredRegion,
  TeamReduce,
  TeamScan,
  WideLoad,
  WideStore,
  WorkItemId,
} from "../device/device.ts";
import { workItemIdOf } from "../device/device.ts";
import type { MatrixStep } from "../device/matrix-step.ts";
import { type MappedText, Marks, moved } from "../device/source-map.ts";
import { portableRecord } from "../legalise/record-layout.ts";
import { type AtomicHelper, helperFor } from "./atomics.ts";
import {
  combinedComplex,
  complexDefinitions,
  complexText,
  complexTypeName,
  isComplex,
  withTruthValues,
} from "./complex.ts";
import { idiomCode } from "./idiom-code.ts";
import { isReserved, Names } from "./names.ts";
import { typeClosure } from "./type-closure.ts";

export interface Dialect {
  /** Words that the user's names must not collide with; such names get an underscore. */
  readonly reserved: { has(name: string): boolean };
  /** Values of acc_device_t for which acc_on_device is true, and macros that are one. */
  readonly deviceTypes: readonly (number | string)[];
  /** Types that the language defines itself, if they match the user's type of that name. */
  readonly hasType: (name: string, type: CType) => boolean;
  readonly options: PrintOptions;
  /** The lines of a statement that the language expresses in its own way. */
  statement?(s: Stmt, print: KernelPrinter): string[] | undefined;
  /** The lines of a pragma before a loop; by default `#pragma unroll` is kept and arc's own pragmas are dropped. */
  pragma?(p: Pragma, print: KernelPrinter): readonly string[] | undefined;
  /** First lines of the text; `text` is the rest, which determines what is needed. */
  head(text: string): readonly string[];
  /** Declarations between the types and the functions. */
  globals?(print: KernelPrinter): readonly string[];
  workItemId(id: WorkItemId): string;
  readonly barrier: string;
  /** A memory fence in both directions for a work-item. */
  readonly fence: string;
  /** Of all groups' accesses; absent: `fence`. */
  readonly deviceFence?: string;
  /** The lines of what the last group does, as compilers that lack fences of the device may see it. */
  lastGroup?(lines: readonly string[]): readonly string[];
  /** Declares a variable in group memory. */
  shared(declaration: string): string;
  kernel(kernel: Kernel, print: KernelPrinter): readonly string[];
  /** Words before a device function. */
  readonly functionPrefix: string;
  groupReduce(n: GroupReduce, print: KernelPrinter): readonly string[];
  /** Absent if its devices have groups of one item. */
  teamReduce?(n: TeamReduce, print: KernelPrinter): readonly string[];
  /** Absent: work-items exchange values through group memory. */
  exchange?(n: Exchange, print: KernelPrinter): string;
  /** Absent: the device has no matrix units that arc uses. */
  matrixStep?(n: MatrixStep, print: KernelPrinter): readonly string[];
  teamScan?(n: TeamScan, print: KernelPrinter): readonly string[];
  /** Definition of an atomic helper. */
  atomic(helper: AtomicHelper, print: KernelPrinter): readonly string[];
  /** Address space of an lvalue, "" if there are none. */
  spaceOf(target: Expr): string;
  /** It lacks complex numbers: they are printed as records, and their operators as calls. */
  readonly complexRecords?: true;
}

/** What dialects need to print parts of a kernel. */
export interface KernelPrinter {
  expr(e: Expr): string;
  type(type: CType): string;
  decl(type: CType, name: string, sym?: Symbol): string;
  name(sym: Symbol): string;
  body(stmts: readonly Stmt[]): string[];
  /** `const long arc_item = ...;` for the positions that the kernel uses, except those in `given`. */
  workItemIds(kernel: Kernel, given?: readonly WorkItemId[]): string[];
  options: PrintOptions;
}

/** The text of a region: types, helpers, functions, kernels. No comments; positions are returned separately. */
export function kernelText(region: LoweredRegion, dialect: Dialect): MappedText {
  const helpers = new Map<string, AtomicHelper>();
  const marks = new Marks();
  const lines = (text: string) => text.split("\n");
  const names = new Names(region, dialect.reserved);
  // All names in the family of a reserved one get a longer suffix, so that no two of them collide.
  const member = (written: string) => {
    const name = asciiName(written);
    if ([name, name.replace(/_+$/, "")].some((word) => isReserved(word, dialect))) return `${name}_`;
    return name === written ? undefined : name;
  };

  const isLanguages = (sym: Symbol) =>
    sym.kind === "function" || (sym.kind === "typedef" && dialect.hasType(sym.name, sym.type));

  const options: PrintOptions = {
    ...dialect.options,
    plainLocals: true,
    // Enumerators are printed as numbers, so enums need no definition.
    typeName: (type, pointedTo) =>
      (dialect.complexRecords && complexTypeName(type)) ??
      dialect.options.typeName?.(type.kind === "enum" ? underlying(type) : type, pointedTo) ??
      (type.kind === "enum" ? printDecl(underlying(type)) : undefined),
    // Functions and types without a definition here are the language's own.
    name: (sym) =>
      names.of(sym) ?? (dialect.reserved.has(sym.name) && !isLanguages(sym) ? `${sym.name}_` : undefined),
    tagName: (decl) => names.tag(decl),
    record: (decl) => dialect.options.record?.(decl) ?? portableRecord(decl),
    seenThrough: (type) => type.kind === "typeof" || (dialect.options.seenThrough?.(type) ?? false),
    fieldName: member,
    labelName: member,
    pragma: (p) => dialect.pragma?.(p, printer) ?? (p.tokens[0]?.text === "unroll" ? undefined : []),
    expr(e, print) {
      if (e.kind === "ident" && e.sym.kind === "enumerator") return `${e.sym.value}`;
      if (e.kind === "int" && excess(e.text)) return print(typedConstant(e));
      if (e.kind === "call" && calledName(e) === "acc_on_device") {
        const type = print(firstOf(e.args));
        return `(${dialect.deviceTypes.map((t) => `(${type}) == ${t}`).join(" || ")})`;
      }
      return (dialect.complexRecords && complexText(e, print)) ?? dialect.options.expr?.(e, print);
    },
    stmt(written, print) {
      const s = dialect.complexRecords ? withTruthValues(written) : written;
      const device = deviceLines(s, dialect, printer);
      if (device) return [...device];
      const atomic = asNode(s, "atomic");
      if (atomic) return marks.on(s, [atomicText(atomic, dialect, printer, helpers)]);
      const own = dialect.statement?.(s, printer);
      return marks.on(s, own ?? dialect.options.stmt?.(s, print) ?? idiomCode(s)?.flatMap(print) ?? print(s));
    },
  };
  const printer: KernelPrinter = {
    options,
    expr: (e) => printExpr(e, options),
    type: (t) => printDecl(t, "", options),
    decl: (t, name, sym) => printDecl(t, name, options, sym),
    name: (sym) => (workItemIdOf(sym) ? sym.name : (options.name?.(sym) ?? sym.name)),
    body: (stmts) => stmts.flatMap((s) => lines(printStmt(s, options))).map((l) => `  ${l}`),
    workItemIds: (kernel, given = []) =>
      [...workItemIdsIn(kernel)]
        .filter((p) => !given.includes(p))
        .sort()
        .map((p) => `  const long arc_${p} = ${dialect.workItemId(p)};`),
  };

  const types = typeClosure(region, dialect.hasType).flatMap(({ type, name, stmt }) => {
    const text = names.define(type, name, () => printExternal(stmt, options));
    return text === undefined ? [] : lines(text);
  });
  names.nameVariables(region);
  const functions = region.functions.flatMap((f) => [...functionText(f, dialect, printer), ""]);
  const kernels = region.kernels.flatMap((k) => [...dialect.kernel(k, printer), ""]);
  const atomics = [...helpers.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((h) => [...dialect.atomic(h, printer), ""]);
  const globals = dialect.globals ? [...dialect.globals(printer), ""] : [];
  const marked = [
    ...types,
    ...(types.length ? [""] : []),
    ...globals,
    ...atomics,
    ...functions,
    ...kernels,
  ].join("\n");
  const body = marks.take(marked.trimEnd());
  const complex = dialect.complexRecords ? complexDefinitions(body.text, dialect.functionPrefix) : [];
  const head = [...dialect.head([body.text, ...complex].join("\n")), ...complex.flatMap(lines)];
  const above = [...head, ...(head.length ? [""] : [])];
  return { text: `${[...above, body.text].join("\n")}\n`, mappings: moved(body.mappings, above.length) };
}

/** What work-items of a group do together. */
function deviceLines(s: Stmt, dialect: Dialect, printer: KernelPrinter): readonly string[] | undefined {
  if (s.kind !== "ext") return undefined;
  switch (s.ext.kind) {
    case "barrier":
      return [dialect.barrier];
    case "group-reduce":
      return dialect.groupReduce(s.ext as GroupReduce, printer);
    case "team-reduce":
      return dialect.teamReduce?.(s.ext as TeamReduce, printer);
    case "exchange": {
      const line = dialect.exchange?.(s.ext as Exchange, printer);
      return line === undefined ? undefined : [line];
    }
    case "matrix-step":
      return dialect.matrixStep?.(s.ext as MatrixStep, printer);
    case "team-scan":
      return dialect.teamScan?.(s.ext as TeamScan, printer);
    case "wide-load":
      return [wideText(s.ext as WideLoad, dialect, printer)];
    case "wide-store":
      return [wideStoreText(s.ext as WideStore, dialect, printer)];
    case "device-fence":
      return [dialect.deviceFence ?? dialect.fence];
    case "last-group": {
      const lines = printer.body([(s.ext as LastGroup).body]).map((line) => line.slice(2));
      return dialect.lastGroup?.(lines) ?? lines;
    }
    case "sync":
      return asNode(s, "sync")?.name === "flush" ? [dialect.fence] : undefined;
    default:
      return undefined;
  }
}

/** The position constants that the kernel uses. */
function workItemIdsIn(kernel: Kernel): ReadonlySet<WorkItemId> {
  const used = new Set<WorkItemId>();
  for (const s of kernel.body)
    walkStmt(s, {
      expr(e) {
        const p = e.kind === "ident" ? workItemIdOf(e.sym) : undefined;
        if (p) used.add(p);
      },
      stmt(child) {
        if (child.kind === "ext" && ["group-reduce", "team-reduce", "team-scan"].includes(child.ext.kind))
          used.add("item");
      },
    });
  return used;
}

/** One load of a vector, such as `float4`. */
function wideText({ into, from }: WideLoad, dialect: Dialect, print: KernelPrinter): string {
  const vector = vectorName(from.type, into.length, print);
  const access = `*(${[dialect.spaceOf(from), "const", vector].filter(Boolean).join(" ")} *)&${print.expr(from)}`;
  const parts = into.map((e, k) => `${print.expr(e)} = arc_wide.${"xyzw"[k]};`);
  return `{ const ${vector} arc_wide = ${access}; ${parts.join(" ")} }`;
}

/** One store of a vector. */
function wideStoreText({ to, from }: WideStore, dialect: Dialect, print: KernelPrinter): string {
  const vector = vectorName(to.type, from.length, print);
  const parts = from.map((e, k) => `arc_wide.${"xyzw"[k]} = ${print.expr(e)};`);
  const access = `*(${[dialect.spaceOf(to), vector].filter(Boolean).join(" ")} *)&${print.expr(to)}`;
  return `{ ${vector} arc_wide; ${parts.join(" ")} ${access} = arc_wide; }`;
}

function vectorName(type: CType, elements: number, print: KernelPrinter): string {
  const of = canonical(type);
  return `${of.kind === "int" || of.kind === "float" ? of.name : print.type(of)}${elements}`;
}

/** Reads and writes are volatile accesses; updates call a helper, which is added to `helpers` by name. */
function atomicText(
  n: Atomic,
  dialect: Dialect,
  print: KernelPrinter,
  helpers: Map<string, AtomicHelper>,
): string {
  const space = dialect.spaceOf(n.target);
  const target = parenthesised(print.expr(n.target));
  const type = print.type(unqualified(n.target.type));
  const access = `*(${[space, "volatile", type].filter(Boolean).join(" ")} *)&${target}`;
  if (n.what === "read") return `${print.expr(n.captured as Expr)} = ${access};`;
  if (n.what === "write") return `${access} = ${print.expr(n.value as Expr)};`;
  const helper = helperFor(n, space);
  helpers.set(helper.name, helper);
  const operands = [n.value as Expr, ...(n.expected ? [n.expected] : [])].map((e) => print.expr(e));
  const call = `${helper.name}(&${target}, ${operands.join(", ")})`;
  return n.captured ? `${print.expr(n.captured)} = ${call};` : `${call};`;
}

/** With the value and type that the C compiler computes. */
function typedConstant({ value, type }: Expr & { kind: "int" }): Expr {
  return intKind(type) === "int128" ? cast(type, intLit(value, ULLONG)) : intLit(value, type);
}

function calledName(e: Expr & { kind: "call" }): string | undefined {
  const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
  return callee.kind === "ident" ? callee.sym.name : undefined;
}

const parenthesised = (text: string) => (/^[A-Za-z_]\w*$/.test(text) ? text : `(${text})`);

function functionText(f: KernelFunction, dialect: Dialect, print: KernelPrinter): string[] {
  const type = canonical(f.def.sym.type);
  const ret = type.kind === "function" ? type.ret : f.def.sym.type;
  const params = f.params.map((p) => print.decl(p.sym.type, print.name(p.sym), p.sym)).join(", ");
  const head = `${dialect.functionPrefix} ${print.decl(ret, `${print.name(f.sym)}(${params || "void"})`, f.sym)}`;
  const body = f.body.kind === "compound" ? f.body.body : [f.body];
  return [`${head} {`, ...print.body(body), "}"];
}

/** A tree in group memory, for languages without anything better. */
export function treeReduce(
  n: GroupReduce,
  combined: (a: string, b: string) => string,
  print: KernelPrinter,
  barrier: string,
): string[] {
  const target = print.expr(n.target);
  const scratch = print.expr(n.scratch);
  let half = 1;
  while (half * 2 < n.items) half *= 2;
  return [
    `${scratch}[arc_item] = ${target};`,
    barrier,
    `for (int arc_half = ${half}; arc_half > 0; arc_half /= 2) {`,
    `  if (arc_item < arc_half && arc_item + arc_half < ${n.items})`,
    `    ${scratch}[arc_item] = ${combined(`${scratch}[arc_item]`, `${scratch}[arc_item + arc_half]`)};`,
    `  ${barrier}`,
    "}",
    `${target} = ${scratch}[0];`,
    barrier,
  ];
}

/** `type`: of the values, where the language has records for complex ones. */
export function combined(op: GroupReduce["op"], type?: CType): (a: string, b: string) => string {
  if (type && isComplex(type)) return combinedComplex(op, type);
  if (op === "max") return (a, b) => `${a} > ${b} ? ${a} : ${b}`;
  if (op === "min") return (a, b) => `${a} < ${b} ? ${a} : ${b}`;
  return (a, b) => `${a} ${op} ${b}`;
}
