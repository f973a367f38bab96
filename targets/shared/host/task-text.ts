/** C text of tasks: the functions that run them, and their creation. */

import { itemAt } from "../../../core/checked/access.ts";
import { rootOf } from "../../../core/ir/analysis/access.ts";
import { combine } from "../../../core/ir/model/combine.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import { type ReductionOp, reductionOps, type Site, type TaskTraits } from "../../../core/ir/model/ir.ts";
import type { TaskFunction, TaskKernel } from "../../../core/ir/model/program.ts";
import {
  canonical,
  isVariablyModified,
  printDecl,
  printExpr,
  unqualified,
} from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, ident } from "../../../core/lang/tree/build.ts";
import { substituteExpr } from "../../../core/lang/tree/substitute.ts";
import type { HostNames } from "./host-names.ts";
import { typesUsed } from "./local-types.ts";
import { accessRow, reductionRow } from "./task-accesses.ts";
import type { Captured, Creator, Outlined, TaskCreation } from "./task-outline.ts";

/** Definitions that a file with tasks needs before the user's text. */
export const taskPrelude: readonly string[] = ["#include <arctask.h>"];

const quoted = (text: string) => JSON.stringify(text);

/** A version of a task's body: its name, the function or kernel that runs it, and its device. */
const versionText = (id: string, label: string, { kernel, device }: Partial<TaskFunction> = {}): string =>
  `${quoted(label)}, ${kernel ? `0, &${id}_kernel` : `${id}_run, 0`}, ${device ? quoted(device) : "0"}`;

const typeLine = (id: string, site: Site, version: string, versions = 0): string =>
  `static const arc_task_type ${id}_type = {{${quoted(site.loc.file)}, ${site.loc.line}, "task"}, {${version}}, ${versions ? `${versions}, ${id}_versions` : "0, 0"}};`;

/** A member of the structure that a task's function receives; run-time sizes cannot be used there. */
const member = (type: CType, name: string): string =>
  isVariablyModified(type) ? `void *${name};` : `${printDecl(type, name)};`;

/**
 * A task's function, to be inserted before the function that contained the statement. `lines`: prints a statement that
 * contains IR nodes.
 */
export function outlinedText(o: Outlined, names: HostNames, lines: (s: Stmt) => readonly string[]): string[] {
  const given = names("given");
  const unpack = (c: Captured): string => {
    const from = `${given}->${c.name}`;
    if (c.how === "array") return `${printDecl(c.sym.type, c.sym.name)} = (void *)&${from};`;
    return `${printDecl(c.sym.type, c.sym.name)} = ${from};`;
  };
  const code = [
    ...o.captured.map(unpack),
    ...o.privates.map((sym) => `${printDecl(sym.type, sym.name)};`),
    ...o.reductions.map(({ own, op }) => `${printDecl(own.type, own.name)} = ${neutral(op, own.type)};`),
    ...lines(o.body),
    ...(o.reductions.length
      ? [
          "arc_task_combine_begin();",
          ...o.reductions.map(
            ({ own, op, into }) => `${printExpr(assign(into, combine(op, into, ident(own))))};`,
          ),
          "arc_task_combine_end();",
        ]
      : []),
  ];
  const struct = o.captured.length ? givenText(o) : [];
  const isLocal = o.types.length > 0;
  const head = [
    ...typesUsed(o.types, [...struct, ...code], lines),
    ...(isLocal ? struct : []),
    ...(o.captured.length
      ? [`struct ${o.id}_given *const ${given} = ${names("arguments")};`, `(void)${given};`]
      : [`(void)${names("arguments")};`]),
  ];
  return [
    ...(isLocal ? [] : struct),
    `static void ${o.id}_run(void *${names("arguments")}) {`,
    ...[...head, ...code].map((line) => `  ${line}`),
    "}",
    typeLine(o.id, o.site, versionText(o.id, o.label)),
  ];
}

/** The structure of what a task's function receives. */
const givenText = ({ id, captured }: Pick<Outlined, "id" | "captured">): string[] => [
  `struct ${id}_given {`,
  ...captured.map((c) => `  ${memberOf(c)}`),
  "};",
];

/** The C compiler warns about literals that are so large that they must be infinite. */
function neutral(op: ReductionOp, type: CType): string {
  if (canonical(type).kind !== "float" || (op !== "max" && op !== "min"))
    return printExpr(identity(op, type));
  return op === "max" ? "-__builtin_inf()" : "__builtin_inf()";
}

function memberOf(c: Captured): string {
  if (c.how === "address") return `void *${c.name};`;
  if (c.how === "array" && c.sym.type.kind === "pointer") return member(unqualified(c.sym.type.to), c.name);
  return member(unqualified(c.sym.type), c.name);
}

/** The call that creates a task, in a block. */
export function creationText(n: TaskCreation, names: HostNames, diagnostics: Diagnostic[]): string[] {
  const given = names("given");
  const filled = n.captured.map(({ name, how }, i) => {
    const value = printExpr(itemAt(n.values, i));
    if (how === "array") return `__builtin_memcpy(&${given}.${name}, &${value}, sizeof ${given}.${name});`;
    return `${given}.${name} = ${how === "address" ? "(void *)" : ""}${value};`;
  });
  const reduced = n.reductions.map((r, i) =>
    reductionRow(`(${printExpr(itemAt(n.reduced, i))})`, reductionOps.indexOf(r.op)),
  );
  return [
    "{",
    ...n.privates.map((e) => `  (void)${printExpr(e)};`),
    ...(n.captured.length && n.local ? givenText(n).map((l) => `  ${l}`) : []),
    ...(n.captured.length ? [`  struct ${n.id}_given ${given};`, ...filled.map((l) => `  ${l}`)] : []),
    ...create(n, reduced, n.id, n.captured.length ? given : undefined, names, diagnostics).map(
      (l) => `  ${l}`,
    ),
    "}",
  ];
}

function create(
  traits: TaskTraits,
  more: readonly string[],
  id: string,
  given: string | undefined,
  names: HostNames,
  diagnostics: Diagnostic[],
): string[] {
  const accesses = names("accesses");
  const rows = [...rowsOf(traits, diagnostics), ...more];
  const flags = [
    ...(traits.condition ? [`((${printExpr(traits.condition)}) ? 0 : ARC_TASK_UNDEFERRED)`] : []),
    ...(traits.final ? [`((${printExpr(traits.final)}) ? ARC_TASK_FINAL : 0)`] : []),
  ];
  const priority = traits.priority ? `(int)(${printExpr(traits.priority)})` : "0";
  return [
    ...(rows.length
      ? [`__extension__ const arc_task_access ${accesses}[] = {`, ...rows.map((r) => `  ${r}`), "};"]
      : []),
    `arc_task_create(&${id}_type, ${given ? `&${given}, sizeof ${given}` : "0, 0"}, ${rows.length}, ${rows.length ? accesses : "0"}, ${flags.join(" | ") || "0"}, ${priority});`,
  ];
}

/** Initialisers of an array of accesses; accesses that cannot be expressed are reported. */
export function rowsOf({ accesses }: Pick<TaskTraits, "accesses">, diagnostics: Diagnostic[]): string[] {
  return accesses.flatMap((a) => {
    const row = accessRow(a);
    if (typeof row === "string") return [row];
    diagnostics.push(row);
    return [];
  });
}

/** The function's type with a name for each parameter, taken from its definition if there is one. */
function named(sym: Symbol, params: readonly Symbol[]): CType {
  const type = canonical(sym.definition?.declared?.type ?? sym.type);
  if (type.kind !== "function") return type;
  return {
    ...type,
    params: type.params.map((p, i) => ({ ...p, sym: itemAt(params, i), name: itemAt(params, i).name })),
  };
}

/** A body of a task, its own or another version's, with parameter names that stand for the task's. */
interface Body {
  readonly id: string;
  readonly of: TaskFunction;
  /** Suffix that distinguishes the names of its sizes. */
  readonly mark: string;
}

/** The function that is called in place of a task function, and what it needs. */
export function creatorText(c: Creator, names: HostNames, diagnostics: Diagnostic[]): string[] {
  const { sym, params, of } = c;
  const id = sym.name;
  const given = names("given");
  const bodies = [
    { id, of, mark: "" },
    ...c.versions.map(
      (v, i): Body => ({ id: `${id}_${i + 1}`, of: inTermsOf(v, params), mark: `_${i + 1}` }),
    ),
  ];
  const isGiven = params.length > 0 || bodies.some((b) => b.of.kernel);
  const declared = bodies.flatMap(({ of: { sym: f, params: own } }) => {
    const words = [f.storage === "static" && "static", f.inline && "inline"].filter(Boolean);
    // The definition may follow later.
    return f.definition ? [`${[...words, printDecl(named(f, own), f.name)].join(" ")};`] : [];
  });
  const versions = bodies.slice(1).map((b) => `  {${versionText(b.id, b.of.label ?? b.of.sym.name, b.of)}},`);
  return [
    ...declared,
    ...(isGiven
      ? [
          `struct ${id}_given {`,
          ...params.map((p) => `  ${member(unqualified(p.type), p.name)}`),
          ...bodies.flatMap((b) => kernelMembers(b, names).map((l) => `  ${l}`)),
          "};",
        ]
      : []),
    ...bodies.flatMap((b) => (b.of.kernel ? kernelText(b.of.kernel, b, c, names) : runText(b, c, names))),
    ...(versions.length ? [`static const arc_task_version ${id}_versions[] = {`, ...versions, "};"] : []),
    typeLine(id, of.site, versionText(id, of.label ?? of.sym.name, of), versions.length),
    `static ${printDecl(named(of.sym, params), id)} {`,
    ...(isGiven ? [`  struct ${id}_given ${given};`] : []),
    ...params.map((p) => `  ${given}.${p.name} = ${isVariablyModified(p.type) ? "(void *)" : ""}${p.name};`),
    ...bodies.flatMap((b) => geometryText(b, names).map((l) => `  ${l}`)),
    ...create(of, [], id, isGiven ? given : undefined, names, diagnostics).map((l) => `  ${l}`),
    "}",
  ];
}

/** A version whose sizes refer to the task's parameters. */
function inTermsOf(version: TaskFunction, params: readonly Symbol[]): TaskFunction {
  const by = new Map(
    version.params.flatMap((p, i): [Symbol, Expr][] => (params[i] ? [[p, ident(itemAt(params, i))]] : [])),
  );
  const put = (list: readonly Expr[]) => list.map((e) => substituteExpr(e, by));
  const { kernel } = version;
  if (!kernel) return version;
  const sizes = { global: put(kernel.global), local: put(kernel.local), shared: put(kernel.shared) };
  const onto = kernel.onto && { onto: substituteExpr(kernel.onto, by) };
  return { ...version, kernel: { ...kernel, ...sizes, ...onto } };
}

/** The call that a host task executes. */
function runText({ id, of }: Body, { sym, params }: Creator, names: HostNames): string[] {
  const given = names("given");
  const unpacked = params.map((p) => `${given}->${p.name}`).join(", ");
  return [
    `static void ${id}_run(void *${names("arguments")}) {`,
    ...(params.length
      ? [`  struct ${sym.name}_given *const ${given} = ${names("arguments")};`]
      : [`  (void)${names("arguments")};`]),
    `  ${of.sym.name}(${unpacked});`,
    "}",
  ];
}

// ---------------------------------------------------------------- kernels

const kernelMembers = ({ of: { kernel }, mark }: Body, names: HostNames): string[] =>
  kernel
    ? [
        `long ${names(`geometry${mark}`)}[7];`,
        ...(kernel.shared.length ? [`long ${names(`shared${mark}`)}[${kernel.shared.length}];`] : []),
      ]
    : [];

function geometryText({ of: { kernel }, mark }: Body, names: HostNames): string[] {
  if (!kernel) return [];
  const { global, local, shared, onto } = kernel;
  const set = (name: string, i: number, value: string) =>
    `${names("given")}.${names(`${name}${mark}`)}[${i}] = ${value};`;
  const sizes = (list: readonly Expr[], absent: string) =>
    [0, 1, 2].map((i) => (list[i] ? `(long)(${printExpr(itemAt(list, i))})` : absent));
  return [
    ...[
      ...sizes(global, "1"),
      ...sizes(local, local.length ? "1" : "0"),
      onto ? `(long)(${printExpr(onto)})` : "-1",
    ].map((v, i) => set("geometry", i, v)),
    ...shared.map((e, i) => set("shared", i, `(long)(${printExpr(e)})`)),
  ];
}

/** The kernel's text or its location, and the positions of its arguments. */
function kernelText(kernel: TaskKernel, { id, mark }: Body, c: Creator, names: HostNames): string[] {
  const { sym, params, of } = c;
  const given = `struct ${sym.name}_given`;
  const at = (name: string) => `__builtin_offsetof(${given}, ${name})`;
  let groups = 0;
  const local = () => `{ARC_TASK_LOCAL, ${at(`${names(`shared${mark}`)}[${groups++}]`)}, 0},`;
  const row = (p: Symbol): string => {
    if (canonical(p.type).kind !== "pointer")
      return `{ARC_TASK_VALUE, ${at(p.name)}, sizeof ((${given} *)0)->${p.name}},`;
    if (of.accesses.some((a) => a.only !== "order" && rootOf(a.object)?.sym === p))
      return `{ARC_TASK_MEMORY, ${at(p.name)}, 0},`;
    return local();
  };
  const named = params.map(row);
  // CUDA and HIP kernels have group memory in addition to their parameters.
  const rows = [...named, ...kernel.shared.slice(groups).map(local)];
  const { image } = kernel;
  const text = image === undefined ? `0, ${id}_source, sizeof ${id}_source - 1` : `${quoted(image)}, 0, 0`;
  return [
    ...(image === undefined ? sourceText(kernel.source, id) : []),
    ...(rows.length
      ? [`static const arc_task_parameter ${id}_parameters[] = {`, ...rows.map((r) => `  ${r}`), "};"]
      : []),
    `static const arc_task_kernel ${id}_kernel = {"${kernel.device}", ${quoted(kernel.name)}, ${quoted(kernel.file)}, ${text}, ${at(names(`geometry${mark}`))}, ${rows.length}, ${rows.length ? `${id}_parameters` : "0"}};`,
  ];
}

function sourceText(source: string, id: string): string[] {
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [""];
  return [
    `static const char ${id}_source[] =`,
    ...lines.map((line, i) => `  ${stringLiteral(line)}${i === lines.length - 1 ? ";" : ""}`),
  ];
}

/** Bytes as a C literal: other than printable characters in octal, which cannot absorb a following digit. */
function stringLiteral(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const char = String.fromCharCode(byte);
    if (char === "\n") return "\\n";
    if (char === '"' || char === "\\" || char === "?") return `\\${char}`;
    return byte >= 32 && byte < 127 ? char : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${bytes.join("")}"`;
}
