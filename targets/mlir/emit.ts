/**
 * Regions as MLIR: kernels in the gpu dialect with scf, memref, arith and math; host functions move data and launch.
 */
import { entryOf } from "../../core/checked/access.ts";
import { canonical, isPointer, isVoid } from "../../core/lang/index.ts";
import type { Diagnostic, Loc } from "../../core/lang/tree/ast.ts";
import {
  type Kernel,
  type KernelFunction,
  type KernelParam,
  type LoweredRegion,
  type WorkItemId,
  workItemIds,
} from "../shared/device/device.ts";
import type { EmittedRegion, Emitter } from "../shared/kind/emit.ts";
import { Code } from "./code.ts";
import { Expressions } from "./expressions.ts";
import { Statements } from "./statements.ts";
import { GROUP, memref, NotInMlir, scalar, shapeBehind, shapeOf } from "./types.ts";

export const mlirEmitter: Emitter = {
  extension: ".mlir",
  model: { maxItems: 256, defaultItems: 128, partition: "cyclic" },
  emit(region) {
    try {
      return { text: regionText(region), mappings: [], diagnostics: [] };
    } catch (problem) {
      if (!(problem instanceof NotInMlir)) throw problem;
      return { text: "", mappings: [], diagnostics: [refusal(region, problem)] } satisfies EmittedRegion;
    }
  },
};

function refusal({ site, region }: LoweredRegion, { what, loc }: NotInMlir): Diagnostic {
  const own: Loc = { file: site.file, line: site.line, col: 1 };
  return {
    severity: "error",
    code: "not-in-mlir",
    loc: loc !== undefined && loc.file === site.file ? loc : own,
    message: `${what} has no form in MLIR's gpu, scf and memref dialects here (${region})`,
    remedy: "write the region with scalars and arrays, or translate it to another kind",
  };
}

function regionText(region: LoweredRegion): string {
  if (region.globals.length > 0) throw new NotInMlir("a variable of another file");
  const called = new Map(region.functions.map((f) => [f.sym, f.sym.name] as const));
  const body = [
    `module @${region.region} attributes {gpu.container_module} {`,
    "  gpu.module @kernels {",
    ...region.functions.flatMap((f) => functionText(f, called)),
    ...region.kernels.flatMap((k) => kernelText(k, called)),
    "  }",
    ...hostText(region),
    "}",
  ];
  return `${body.join("\n")}\n`;
}

function functionText(
  { sym, params, body }: KernelFunction,
  called: ReadonlyMap<KernelFunction["sym"], string>,
): string[] {
  const code = new Code(3);
  const expressions = new Expressions(code, called, new Map());
  const names = params.map(({ sym: param }, k) => {
    const name = `%p${k}`;
    bindParameter(param, name, isPointer(param.type), expressions, code);
    return `${name}: ${isPointer(param.type) ? memref(shapeBehind(param.type)) : scalar(param.type)}`;
  });
  const statements = new Statements(code, expressions);
  statements.list([body], {}, true);
  const type = canonical(sym.type);
  const result = type.kind === "function" && !isVoid(type.ret) ? type.ret : undefined;
  if (result && statements.result === undefined)
    throw new NotInMlir("a function that does not end with its value", sym.span.start);
  return [
    `    func.func @${sym.name}(${names.join(", ")})${result ? ` -> ${scalar(result)}` : ""} {`,
    ...code.take(),
    `      return${result ? ` ${statements.result} : ${scalar(result)}` : ""}`,
    "    }",
  ];
}

function bindParameter(
  sym: KernelParam["sym"],
  name: string,
  pointer: boolean,
  expressions: Expressions,
  code: Code,
): void {
  if (pointer) {
    const shape = shapeBehind(sym.type);
    expressions.bind(sym, { name, type: memref(shape), shape, indices: [] });
    return;
  }
  const memory = expressions.declare(sym);
  code.line(`memref.store ${name}, ${memory.name}[] : ${memory.type}`);
}

const typeOf = ({ sym, pointer }: KernelParam): string =>
  pointer ? memref(shapeBehind(sym.type)) : scalar(sym.type);

function kernelText(kernel: Kernel, called: ReadonlyMap<KernelFunction["sym"], string>): string[] {
  const code = new Code(3);
  const known = new Map<WorkItemId, string>();
  const expressions = new Expressions(code, called, known);
  workItemIdValues(code, expressions, known);
  const params = kernel.params.map((param, k) => {
    const name = `%p${k}`;
    bindParameter(param.sym, name, param.pointer, expressions, code);
    return `${name}: ${typeOf(param)}`;
  });
  const shared = kernel.shared.map((sym, k) => {
    const shape = shapeOf(sym.type);
    const type = memref(shape, GROUP);
    expressions.bind(sym, { name: `%s${k}`, type, shape, indices: [] });
    return `%s${k}: ${type}`;
  });
  new Statements(code, expressions).list(kernel.body, {});
  const group = shared.length > 0 ? ` workgroup(${shared.join(", ")})` : "";
  return [
    `    gpu.func @${kernel.name}(${params.join(", ")})${group} kernel {`,
    ...code.take(),
    "      gpu.return",
    "    }",
  ];
}

/** A work-item's position, per dimension and linear. */
function workItemIdValues(code: Code, expressions: Expressions, known: Map<WorkItemId, string>): void {
  const own = (what: string, d: string): string => code.value(`gpu.${what} ${d}`);
  const dimension = { item: "thread_id", items: "block_dim", group: "block_id", groups: "grid_dim" } as const;
  for (const place of workItemIds) {
    const [base, d] = place.split("_") as [keyof typeof dimension, string | undefined];
    if (d !== undefined) {
      known.set(place, expressions.numbers.longOf(own(dimension[base], d)));
      continue;
    }
    const [x, y] = [own(dimension[base], "x"), own(dimension[base], "y")];
    if (base === "items" || base === "groups") {
      known.set(place, expressions.numbers.longOf(code.value(`arith.muli ${x}, ${y} : index`)));
      continue;
    }
    const width = own(base === "item" ? "block_dim" : "grid_dim", "x");
    const rows = code.value(`arith.muli ${y}, ${width} : index`);
    known.set(place, expressions.numbers.longOf(code.value(`arith.addi ${rows}, ${x} : index`)));
  }
}

/** Which data items are copied before a launch, and which after it. */
const copies = { to: "in", from: "out", tofrom: "in out", allocate: "" } as const;

/**
 * A function with the region's arguments, the arguments that only its kernels have (temporary memory, numbers of the
 * launch), and the number of groups. Arguments whose data the region moves are copied to device memory and back.
 */
function hostText({ region, kernels, loops = [] }: LoweredRegion): string[] {
  if (loops.length > 0) throw new NotInMlir("a launch that repeats kernels");
  const params = new Map<string, KernelParam>();
  const key = ({ source }: KernelParam): string =>
    source.from === "argument"
      ? `a${source.index}`
      : source.from === "launch"
        ? `l${source.expr}`
        : `${source.from}${"index" in source ? source.index : ""}`;
  for (const kernel of kernels)
    for (const param of kernel.params) {
      const before = params.get(key(param));
      if (before && typeOf(before) !== typeOf(param))
        throw new NotInMlir("an argument that two kernels see as different types");
      params.set(key(param), param);
    }
  const names = new Map([...params.keys()].map((one, k) => [one, `%p${k}`] as const));
  const device = new Map<string, string>();
  const code = new Code(2);
  const behind: string[] = [];
  for (const [one, param] of params) {
    const name = entryOf(names, one);
    const { source } = param;
    const mapping = source.from === "argument" && param.pointer ? source.argument.item.mapping.is : undefined;
    const moved = mapping === undefined ? undefined : copies[mapping as keyof typeof copies];
    if (moved === undefined) continue;
    const type = typeOf(param);
    const zero = code.value("arith.constant 0 : index");
    const size = code.value(`memref.dim ${name}, ${zero} : ${type}`);
    const memory = code.value(`gpu.alloc (${size}) : ${type}`);
    device.set(one, memory);
    if (moved.includes("in")) code.line(`gpu.memcpy ${memory}, ${name} : ${type}, ${type}`);
    if (moved.includes("out")) behind.push(`gpu.memcpy ${name}, ${memory} : ${type}, ${type}`);
    behind.push(`gpu.dealloc ${memory} : ${type}`);
  }
  const one = code.value("arith.constant 1 : index");
  for (const { name, params: own, group, grid } of kernels) {
    const [x, y] = group.map((size) => code.value(`arith.constant ${size} : index`));
    const args = own.map((param) => `${device.get(key(param)) ?? names.get(key(param))} : ${typeOf(param)}`);
    const passed = args.length > 0 ? ` args(${args.join(", ")})` : "";
    const [wide, high] = grid.map((count, k) =>
      /^\d+$/.test(count) ? code.value(`arith.constant ${count} : index`) : `%groups_${"xy"[k]}`,
    );
    code.line(
      `gpu.launch_func @kernels::@${name} blocks in (${wide}, ${high}, ${one}) threads in (${x}, ${y}, ${one})${passed}`,
    );
  }
  for (const line of behind) code.line(line);
  const list = [...params].map(([k, param]) => `${names.get(k)}: ${typeOf(param)}`);
  return [
    `  func.func @${region}(${[...list, "%groups_x: index", "%groups_y: index"].join(", ")}) {`,
    ...code.take(),
    "    return",
    "  }",
  ];
}
