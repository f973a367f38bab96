/** The part of a `#pragma upir` line after the node's kind. Each clause prints and parses one property. */

import { INT } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, stripImplicit } from "../../lang/tree/build.ts";
import { rootOf } from "../analysis/access.ts";
import { parametersOf } from "../analysis/parameters.ts";
import {
  type Apart,
  accesses,
  type DataItem,
  mappings,
  type Reduction,
  type ReductionOp,
  reductionOps,
  type SectionDim,
  type SpmdHints,
  type Steps,
  sharings,
  type TaskAccess,
  taskModes,
  type WaitList,
  type WindowRequest,
} from "../model/ir.ts";
import type { TaskKernel } from "../model/program.ts";
import type { Cursor } from "./cursor.ts";

/** A node being printed or parsed: clauses know their properties by path (`parallel.gangs`). */
export type Draft = Record<string, unknown>;

/** How names and expressions are spelled in the text. */
export interface Speller {
  expr(e: Expr): string;
  name(sym: Symbol): string;
  /** All of a node, or only the parts that decide what a kernel does. */
  readonly detail: "all" | "kernel";
}

export interface Clause {
  readonly key: string;
  readonly repeats?: true;
  readonly required?: true;
  /** Affects where and when a kernel runs, not what it does. */
  readonly host?: true;
  /** All occurrences of the clause. */
  print(node: Draft, spell: Speller): readonly string[];
  /** Called with the cursor after the key. */
  read(at: Cursor, node: Draft): void;
}

export function valueAt(node: Draft, path: string): unknown {
  return path.split(".").reduce<unknown>((part, name) => (part as Draft | undefined)?.[name], node);
}

export function setAt(node: Draft, path: string, value: unknown): void {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) node[first] = value;
  else {
    const part: Draft = { ...(node[first] as Draft | undefined) };
    setAt(part, rest.join("."), value);
    node[first] = part;
  }
}

/** `key(...)` around the result of `one`. */
function enclosed<T>(at: Cursor, one: () => T): T {
  at.expect("(");
  const value = one();
  at.expect(")");
  return value;
}

const join = (key: string, parts: readonly string[]): readonly string[] =>
  parts.length > 0 ? [`${key}(${parts.join(", ")})`] : [];

/** A clause with one argument in parentheses, printed if the property is set. */
function single<T>(
  key: string,
  path: string,
  print: (value: T, spell: Speller) => string,
  read: (at: Cursor) => T,
): Clause {
  return {
    key,
    print: (node, spell) => {
      const value = valueAt(node, path);
      return value === undefined ? [] : [`${key}(${print(value as T, spell)})`];
    },
    read: (at, node) =>
      setAt(
        node,
        path,
        enclosed(at, () => read(at)),
      ),
  };
}

export const host = (clause: Clause): Clause => ({ ...clause, host: true });
export const required = (clause: Clause): Clause => ({ ...clause, required: true });

export const flag = (key: string, path: string): Clause => ({
  key,
  print: (node) => (valueAt(node, path) === true ? [key] : []),
  read: (_, node) => setAt(node, path, true),
});

export const expr = (key: string, path: string): Clause =>
  single<Expr>(
    key,
    path,
    (e, spell) => spell.expr(e),
    (at) => at.expr(),
  );

export const number = (key: string, path: string): Clause =>
  single<number>(key, path, String, (at) => at.number());

export const word = (key: string, path: string): Clause =>
  single<string>(key, path, String, (at) => at.word("a name"));

export const deviceType: Clause = single<string>("type", "deviceType", String, (at) =>
  at.accept("*") ? "*" : at.word("a device type"),
);

export const choice = (key: string, path: string, values: readonly string[]): Clause =>
  single<string>(key, path, String, (at) => at.choice(values, `value of '${key}'`));

export const symbol = (key: string, path: string, kind: "variable" | "function" = "variable"): Clause =>
  single<Symbol>(
    key,
    path,
    (sym, spell) => spell.name(sym),
    (at) => at.symbol(kind),
  );

/** An expression, or a keyword that is printed as the key alone. */
export const exprOr = (key: string, path: string, keyword: string): Clause => ({
  key,
  print: (node, spell) => {
    const value = valueAt(node, path) as Expr | string | undefined;
    if (value === undefined) return [];
    return [typeof value === "string" ? key : `${key}(${spell.expr(value)})`];
  },
  read: (at, node) => setAt(node, path, at.peek()?.text === "(" ? enclosed(at, () => at.expr()) : keyword),
});

/** Lists are printed if not empty; `absent` is the meaning of a missing clause. */
function listed<T>(
  key: string,
  path: string,
  print: (value: T, spell: Speller) => string,
  read: (at: Cursor) => T,
): Clause {
  return {
    key,
    print: (node, spell) =>
      join(
        key,
        ((valueAt(node, path) ?? []) as T[]).map((v) => print(v, spell)),
      ),
    read: (at, node) =>
      setAt(
        node,
        path,
        enclosed(at, () => at.list(() => read(at))),
      ),
  };
}

export const exprs = (key: string, path: string): Clause =>
  listed<Expr>(
    key,
    path,
    (e, spell) => spell.expr(e),
    (at) => at.expr(),
  );

export const symbols = (key: string, path: string): Clause =>
  listed<Symbol>(
    key,
    path,
    (sym, spell) => spell.name(sym),
    (at) => at.symbol(),
  );

/** `format(f16)`, or `format(fixed, 16, 16)`. */
export const format: Clause = single<NonNullable<SpmdHints["format"]>>(
  "format",
  "hints.format",
  (f) => (typeof f === "object" ? `fixed, ${f.whole}, ${f.places}` : f),
  (at) => {
    const name = at.choice(["f16", "bf16", "fixed"], "format of numbers");
    if (name !== "fixed") return name;
    at.expect(",");
    const whole = at.number();
    at.expect(",");
    return { whole, places: at.number() };
  },
);

export const choices = (key: string, path: string, values: readonly string[]): Clause =>
  listed<string>(key, path, String, (at) => at.choice(values, `value of '${key}'`));

export const tile: Clause = listed<Expr | "*">(
  "tile",
  "parallel.tile",
  (t, spell) => (t === "*" ? t : spell.expr(t)),
  (at) => {
    const after = at.peek(1)?.text;
    return at.peek()?.text === "*" && (after === "," || after === ")") && at.accept("*") ? "*" : at.expr();
  },
);

/** `wait` or `wait(queues)`. */
export const wait: Clause = {
  key: "wait",
  host: true,
  print: (node, spell) => {
    const list = node.wait as WaitList | undefined;
    if (!list) return [];
    const { queues, elsewhere = [] } = list;
    if (queues.length === 0) return elsewhere.length > 0 ? [] : ["wait"];
    return join(
      "wait",
      queues.map((q) => spell.expr(q)),
    );
  },
  read: (at, node) => {
    const { loc } = at;
    const queues = at.peek()?.text === "(" ? enclosed(at, () => at.list(() => at.expr())) : [];
    node.wait = { queues, loc } satisfies WaitList;
  },
};

/** `wait-elsewhere(device, queues)`, for each of other devices. */
export const waitElsewhere: Clause = {
  key: "wait-elsewhere",
  host: true,
  print: (node, spell) =>
    ((node.wait as WaitList | undefined)?.elsewhere ?? []).flatMap(({ device, queues }) =>
      join(
        "wait-elsewhere",
        [device, ...queues].map((e) => spell.expr(e)),
      ),
    ),
  read: (at, node) => {
    const { loc } = at;
    const [device, ...queues] = enclosed(at, () => at.list(() => at.expr()));
    const before = (node.wait as WaitList | undefined) ?? { queues: [], loc };
    if (device)
      node.wait = {
        ...before,
        elsewhere: [...(before.elsewhere ?? []), { device, queues }],
      } satisfies WaitList;
  },
};

function reductionOp(at: Cursor): ReductionOp {
  const op = reductionOps.find((o) => at.accept(o));
  return (
    op ??
    at.fail(
      "unknown-reduction-operator",
      "expected a reduction operator",
      `write one of ${reductionOps.join(" ")}`,
    )
  );
}

export const operator: Clause = single<ReductionOp>("op", "op", String, reductionOp);

export const reductions: Clause = {
  key: "reduction",
  repeats: true,
  print: (node, spell) =>
    (node.reductions as readonly Reduction[]).map((r) => `reduction(${r.op}: ${spell.name(r.sym)})`),
  read: (at, node) => {
    const { loc } = at;
    const reduction = enclosed(at, (): Reduction => {
      const op = reductionOp(at);
      at.expect(":");
      return { op, sym: at.symbol(), loc };
    });
    node.reductions = [...((node.reductions as readonly Reduction[] | undefined) ?? []), reduction];
  },
};

/** `taps(all)`, or the elements of a delay line that are read. */
export const taps: Clause = {
  key: "taps",
  required: true,
  print: (node) => [`taps(${node.taps === "all" ? "all" : (node.taps as readonly number[]).join(", ")})`],
  read: (at, node) => {
    node.taps = enclosed(at, () => {
      if (at.accept("all")) return "all";
      return at.peek()?.text === ")" ? [] : at.list(() => at.number());
    });
  },
};

/** `written(8, 9)`: elements of a delay line that the body changes. */
export const written: Clause = {
  key: "written",
  print: (node) => join("written", ((node.written as readonly number[] | undefined) ?? []).map(String)),
  read: (at, node) => {
    node.written = enclosed(at, () => at.list(() => at.number()));
  },
};

/** A variable that the clauses after it use. */
export const lane: Clause = {
  key: "lane",
  print: (node, spell) => (node.lane ? [`lane(${spell.name(node.lane as Symbol)})`] : []),
  read: (at, node) => {
    const sym = freshSymbol(
      enclosed(at, () => at.word("a name")),
      INT,
    );
    at.bring(sym);
    node.lane = sym;
  },
};

const requestsOf = (node: Draft) =>
  (valueAt(node, "hints.windows") as readonly WindowRequest[] | undefined) ?? [];

/** `window(input, outputs...)` for each array that has one. */
export const window: Clause = {
  key: "window",
  repeats: true,
  print: (node, spell) =>
    requestsOf(node).flatMap(({ input, outputs }) =>
      join(
        "window",
        [input, ...outputs].map((s) => spell.name(s)),
      ),
    ),
  read: (at, node) => {
    const { loc } = at;
    const [input, ...outputs] = enclosed(at, () => at.list(() => at.symbol()));
    const request: WindowRequest = { input: input as Symbol, outputs, loc };
    setAt(node, "hints.windows", [...requestsOf(node), request]);
  },
};

/** `apart(a, b: 3)` */
export const apart: Clause = {
  key: "apart",
  print: (node, spell) =>
    join(
      "apart",
      ((valueAt(node, "hints.apart") as readonly Apart[] | undefined) ?? []).map(
        ({ array, distance, loadsFirst }) =>
          distance === undefined
            ? spell.name(array)
            : `${spell.name(array)}: ${distance}${loadsFirst ? " loads-first" : ""}`,
      ),
    ),
  read: (at, node) => {
    const one = (): Apart => {
      const array = at.symbol();
      if (!at.accept(":")) return { array };
      const distance = at.number();
      if (at.peek()?.kind !== "ident") return { array, distance };
      at.choice(["loads-first"], "'loads-first'");
      return { array, distance, loadsFirst: true };
    };
    setAt(
      node,
      "hints.apart",
      enclosed(at, () => at.list(one)),
    );
  },
};

/** `operators(fadd: 1, fmul: 2)` */
export const operators: Clause = {
  key: "operators",
  print: (node) =>
    join(
      "operators",
      Object.entries((valueAt(node, "hints.operators") as Record<string, number> | undefined) ?? {}).map(
        ([operator, circuits]) => `${operator}: ${circuits}`,
      ),
    ),
  read: (at, node) => {
    const one = (): [string, number] => {
      const operator = at.word("an operator");
      at.expect(":");
      return [operator, at.number()];
    };
    const list = enclosed(at, () => at.list(one));
    setAt(node, "hints.operators", Object.fromEntries(list));
  },
};

/** `steps(4, input, output)` */
export const steps: Clause = {
  key: "steps",
  print: (node, spell) => {
    const of = valueAt(node, "hints.steps") as Steps | undefined;
    return of ? join("steps", [String(of.most), ...[of.input, of.output].map((s) => spell.name(s))]) : [];
  },
  read: (at, node) => {
    const steps = enclosed(at, (): Steps => {
      const most = at.number();
      at.expect(",");
      const input = at.symbol();
      at.expect(",");
      return { most, input, output: at.symbol() };
    });
    setAt(node, "hints.steps", steps);
  },
};

/** `label("pass 1")` */
export const label: Clause = single<string>(
  "label",
  "label",
  (text) => JSON.stringify(text),
  (at) => at.string(),
);

/** `task("depend(in: a)")` */
export const hostTask: Clause = single<string>(
  "task",
  "hostTask",
  (text) => JSON.stringify(text),
  (at) => at.string(),
);

/** The function of a line; the clauses after it may name its parameters. */
export const taskFunction: Clause = {
  key: "function",
  required: true,
  print: (node, spell) => [`function(${spell.name(node.sym as Symbol)})`],
  read: (at, node) => {
    const sym = enclosed(at, () => at.symbol("function"));
    const params = parametersOf(sym);
    for (const param of params) at.bring(param);
    setAt(node, "sym", sym);
    setAt(node, "params", params);
  },
};

/** The task that the line's function is an alternative version of. */
export const taskVersion: Clause = {
  key: "implements",
  print: (node, spell) => (node.implements ? [`implements(${spell.name(node.implements as Symbol)})`] : []),
  read: (at, node) =>
    setAt(
      node,
      "implements",
      enclosed(at, () => at.symbol("function")),
    ),
};

const kernelDevices = ["opencl", "cuda", "hip", "fpga"];

/** The kind of device that the function's regions are for. */
export const taskDevice: Clause = {
  key: "device",
  print: (node) => (node.device ? [`device(${node.device})`] : []),
  read: (at, node) =>
    setAt(
      node,
      "device",
      enclosed(at, () => at.choice(kernelDevices, "kind of device")),
    ),
};

/**
 * `kernel(opencl, "saxpy", "saxpy.cl", "src/saxpy.cl", "text in base64")`; the path is "" for a kernel in the program's
 * own file.
 */
export const taskKernel: Clause = {
  key: "kernel",
  print: (node) => {
    const kernel = node.kernel as TaskKernel | undefined;
    if (!kernel) return [];
    const { device, name, file, place = "", source } = kernel;
    const texts = [name, file, place, Buffer.from(source).toString("base64")].map((t) => JSON.stringify(t));
    return join("kernel", [device, ...texts]);
  },
  read: (at, node) => {
    const [device, name, file, place, source] = enclosed(at, () => {
      const device = at.choice(kernelDevices, "kind of device");
      const texts = [1, 2, 3, 4].map(() => {
        at.expect(",");
        return at.string();
      });
      return [device, ...texts];
    });
    const text = Buffer.from(source ?? "", "base64").toString();
    node.kernel = {
      global: [],
      local: [],
      shared: [],
      ...(node.kernel as object),
      device,
      name,
      file,
      ...(place && { place }),
      source: text,
    };
  },
};

/** `access(in weak x[0:n])` */
export const taskAccesses: Clause = {
  key: "access",
  repeats: true,
  print: (node, spell) =>
    (node.accesses as readonly TaskAccess[]).map(({ mode, weak, only, object, section }) => {
      const text = spell.expr(object);
      const base = ["ident", "member", "index"].includes(object.kind) ? text : `(${text})`;
      return `access(${mode}${weak ? " weak" : ""}${only ? ` ${only}` : ""}: ${base}${section.map((d) => dimensionText(d, spell)).join("")})`;
    }),
  read: (at, node) => {
    const { loc } = at;
    const access = enclosed(at, (): TaskAccess => {
      const mode = at.choice(taskModes, "use of memory");
      const weak = at.accept("weak");
      const only = (["order", "copy"] as const).find((word) => at.accept(word));
      at.expect(":");
      const { position } = at;
      const object = stripImplicit(at.object());
      const section: SectionDim[] = [];
      while (at.accept("[")) section.push(dimension(at));
      return {
        mode,
        ...(weak && { weak }),
        ...(only && { only }),
        object,
        section,
        written: at.since(position),
        loc,
      };
    });
    node.accesses = [...((node.accesses as readonly TaskAccess[] | undefined) ?? []), access];
  },
};

// ---------------------------------------------------------------- data items

const modifiers = ["zero", "readonly", "finalize", "ifPresent", "alwaysIn", "alwaysOut", "capture"] as const;
const pipes = ["buffer", "in", "out"] as const;
const visibilities = ["implicit", "implicit-sharing", "implicit-mapping"] as const;
const words = [...modifiers, ...pipes.map((p) => `pipe-${p}` as const), ...visibilities];

/** The object of an item whose variable the body declares later. */
export interface OwnName {
  readonly ownName: string;
}

function visibility({ sharing, mapping }: DataItem): readonly string[] {
  if (sharing.vis === mapping.vis) return sharing.vis === "implicit" ? ["implicit"] : [];
  return [sharing.vis === "implicit" ? "implicit-sharing" : "implicit-mapping"];
}

/**
 *     data(object [start:length]... ["as" own]: sharing mapping access flag...)
 *     data("as" own [start:length]...: ...)
 *
 * `own` is a variable of the region, which its body declares first. A property without `implicit` stands in
 * a clause of the user's.
 */
function itemText(i: DataItem, spell: Speller): string {
  const dims = i.section.map((d) => dimensionText(d, spell));
  const itself = i.object.kind === "ident" && i.object.sym === i.sym;
  const text = spell.expr(i.object);
  const object = ["ident", "member", "index"].includes(i.object.kind) ? text : `(${text})`;
  const before = i.own && itself && spell.detail === "all" ? "as " : "";
  const after = i.own && !itself ? ` as ${spell.name(i.sym)}` : "";
  const flags = [
    ...modifiers.filter((m) => i.mapping[m]),
    ...(i.mapping.pipe ? [`pipe-${i.mapping.pipe}`] : []),
    ...(spell.detail === "all" ? visibility(i) : []),
  ];
  const properties = [i.sharing.is, i.mapping.is, i.access, ...flags].join(" ");
  return `data(${before}${object}${dims.join("")}${after}: ${properties})`;
}

const dimensionText = (d: SectionDim, spell: Speller): string =>
  `[${d.start ? spell.expr(d.start) : ""}:${d.length ? spell.expr(d.length) : ""}${d.stride ? `:${spell.expr(d.stride)}` : ""}]`;

function dimension(at: Cursor): SectionDim {
  const start = at.peek()?.text === ":" ? undefined : at.expr();
  at.expect(":");
  const length = at.peek()?.text === "]" ? undefined : at.expr();
  const stride = at.accept(":") ? at.expr() : undefined;
  at.expect("]");
  return { ...(start && { start }), ...(length && { length }), ...(stride && { stride }) };
}

/** The object of the item: a variable of the program, or one that the body will declare. */
function subject(at: Cursor): Pick<DataItem, "object" | "sym"> | OwnName {
  if (at.peek()?.text === "as" && at.peek(1)?.kind === "ident") {
    at.word("as");
    return { ownName: at.word("a name") };
  }
  const { loc } = at;
  const object = stripImplicit(at.object());
  const sym = rootOf(object)?.sym;
  if (sym?.kind !== "var" && sym?.kind !== "param")
    return at.fail("not-a-variable", "this is not a variable", "name a variable, or a part of one", loc);
  return { object, sym };
}

function readItem(at: Cursor): Partial<DataItem> & Partial<OwnName> {
  const { loc, position } = at;
  const of = subject(at);
  const section: SectionDim[] = [];
  while (at.accept("[")) section.push(dimension(at));
  const written = at.since(position);
  const own = at.accept("as") ? { ownName: at.word("a name") } : {};
  at.expect(":");
  const sharing = at.choice(sharings, "sharing");
  const is = at.choice(mappings, "mapping");
  const access = at.choice(accesses, "access");
  const flags = new Set<string>();
  while (at.peek()?.text !== ")") flags.add(at.choice(words, "property of a data item"));
  const pipe = pipes.find((p) => flags.has(`pipe-${p}`));
  const vis = (of: "sharing" | "mapping") =>
    flags.has("implicit") || flags.has(`implicit-${of}`) ? "implicit" : "explicit";
  return {
    ...of,
    ...own,
    section,
    written,
    sharing: { is: sharing, vis: vis("sharing") },
    mapping: {
      is,
      vis: vis("mapping"),
      ...Object.fromEntries(modifiers.filter((m) => flags.has(m)).map((m) => [m, true])),
      ...(pipe && { pipe }),
    },
    access,
    loc,
  };
}

export const items: Clause = {
  key: "data",
  repeats: true,
  print: (node, spell) => (node.items as readonly DataItem[]).map((i) => itemText(i, spell)),
  read: (at, node) => {
    const item = enclosed(at, () => readItem(at));
    node.items = [...((node.items as readonly unknown[] | undefined) ?? []), item];
  },
};
