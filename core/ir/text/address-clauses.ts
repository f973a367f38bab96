/** Clauses of `host-data`: the device addresses that its body uses. */

import { stripImplicit } from "../../lang/tree/build.ts";
import { rootOf } from "../analysis/access.ts";
import { leads } from "../directives/device-addresses.ts";
import type { DeviceObject, DeviceSection } from "../model/ir.ts";
import { type Clause, enclosed } from "./clause.ts";

/** `first(x[4])`: what is on the device of the variable begins with this element. */
export const deviceSections: Clause = {
  key: "first",
  repeats: true,
  print: (node, spell) =>
    ((node.sections ?? []) as readonly DeviceSection[]).map(({ first }) => `first(${spell.expr(first)})`),
  read: (at, node) => {
    const { loc } = at;
    const first = stripImplicit(enclosed(at, () => at.expr()));
    const variable = rootOf(first)?.sym;
    if (variable?.kind !== "var" && variable?.kind !== "param")
      return at.fail("not-a-variable", "this is no element of a variable", "name an element", loc);
    node.sections = [...((node.sections as readonly DeviceSection[] | undefined) ?? []), { variable, first }];
  },
};

/** `object(s.p as own)`: in the body, `own` is the device address of an object, or what its own value leads to there. */
export const deviceObjects: Clause = {
  key: "object",
  repeats: true,
  print: (node, spell) =>
    ((node.objects ?? []) as readonly DeviceObject[]).map(
      ({ object, pointer }) => `object(${spell.expr(object)} as ${spell.name(pointer)})`,
    ),
  read: (at, node) => {
    const found = enclosed(at, () => {
      const object = stripImplicit(at.object());
      at.expect("as");
      return { object, leads: leads(object), ownName: at.word("a name") };
    });
    node.objects = [...((node.objects as readonly (typeof found)[] | undefined) ?? []), found];
  },
};
