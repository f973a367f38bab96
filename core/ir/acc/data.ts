/** Data clauses: the objects they name and the data movement they ask for. */

import { stripImplicit } from "../../lang/tree/build.ts";
import { type Clause, clause, type Directive, site, type VarRef } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import { merged } from "../directives/merged.ts";
import type { DataItem, Declare, Mapping } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";

const mappings: Readonly<Record<string, Mapping>> = {
  copy: "tofrom",
  copyin: "to",
  copyout: "from",
  create: "allocate",
  present: "present",
  no_create: "no-create",
  deviceptr: "deviceptr",
  pipe: "allocate",
  pipein: "present",
  pipeout: "present",
  attach: "attach",
  detach: "detach",
  delete: "delete",
  device_resident: "device-resident",
  link: "link",
};

export function items(d: Directive): readonly DataItem[] {
  return merged(written(d)).items;
}

/** The data items in source order. */
export function written(d: Directive): readonly DataItem[] {
  return d.clauses.flatMap((c) => {
    const mapping = mappings[c.name];
    if (!mapping) return [];
    const vars = mapping === "attach" || mapping === "detach" ? c.vars.map(pointerNamed) : c.vars;
    return vars.map((v) => dataItem(v, mapping, { ...modifiers(c, mapping), ...pipeOf(c) }));
  });
}

/** `attach(rows[i])` is about the pointer `rows[i]`, not about one that leads to a section with it. */
const pointerNamed = (v: VarRef): VarRef =>
  v.element ? { ...v, object: stripImplicit(v.element), section: [] } : v;

export function updateItems(d: Directive): DataItem[] {
  const ifPresent = clause(d, "if_present") ? { ifPresent: true as const } : {};
  return d.clauses.flatMap((c) =>
    c.name === "self" || c.name === "device"
      ? c.vars.map((v) => dataItem(v, c.name === "self" ? "update-self" : "update-device", ifPresent))
      : [],
  );
}

export function declare(d: Directive): Declare {
  return node<Declare>({ kind: "declare", site: site(d), items: items(d) });
}

const pipes = { pipe: "buffer", pipein: "in", pipeout: "out" } as const;

function pipeOf({ name }: Clause): Partial<DataItem["mapping"]> {
  return name in pipes ? { pipe: pipes[name as keyof typeof pipes] } : {};
}

/** `always` applies only to the directions in which the clause itself copies. */
function modifiers(c: Clause, mapping: Mapping): Partial<DataItem["mapping"]> {
  const comes = mapping === "to" || mapping === "tofrom";
  const goes = mapping === "from" || mapping === "tofrom";
  const has = (name: string) => c.modifiers.includes(name);
  return {
    ...(has("zero") && { zero: true as const }),
    ...(has("readonly") && { readonly: true as const }),
    ...(has("capture") && { capture: true as const }),
    ...(comes && (has("always") || has("alwaysin")) && { alwaysIn: true as const }),
    ...(goes && (has("always") || has("alwaysout")) && { alwaysOut: true as const }),
  };
}
