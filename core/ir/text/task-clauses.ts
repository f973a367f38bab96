/** Clauses of tasks, and of functions whose calls are tasks. */

import type { Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { parametersOf } from "../analysis/parameters.ts";
import { type SectionDim, type TaskAccess, taskModes } from "../model/ir.ts";
import type { TaskKernel } from "../model/program.ts";
import { type Clause, enclosed, join, quoted, setAt } from "./clause.ts";
import { dimension, dimensionText } from "./item-clauses.ts";

/** `label("pass 1")` */
export const label: Clause = quoted("label", "label");

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
