/** Data constructs: what is mapped when, and device addresses for host code. */
import type { DataMove, DataRegion, Declare, HostData } from "../../../core/ir/model/ir.ts";
import { decay, printDecl, printExpr } from "../../../core/lang/index.ts";
import type { Symbol } from "../../../core/lang/tree/ast.ts";
import { type Around, type HostText, indent, when } from "./host-text.ts";

export function dataRegion(t: HostText, n: DataRegion): Around {
  const async = t.async(n.async);
  const count = n.items.length;
  const flag = t.names("on");
  const test = t.onDevice(n);
  const call = (routine: string) =>
    count
      ? when(
          test === undefined ? undefined : flag,
          t.there(n, [`${routine}(&${t.here}, ${async}, ${t.passed(n.items)});`]),
        )
      : [];
  return {
    before: [
      "{",
      ...indent([
        ...t.site(n.site),
        ...(count ? t.items(n.site, n.items) : []),
        ...t.number(n),
        ...(test === undefined ? [] : [`const int ${flag} = (${test}) != 0;`]),
        ...t.wait(n.wait, async),
        ...call("arc_data_begin"),
      ]),
    ],
    after: [...call("arc_data_end"), "}"],
    replaces: false,
  };
}

export function dataMove(t: HostText, n: DataMove): string[] {
  const call = { enter: "arc_enter_data", exit: "arc_exit_data", update: "arc_update" }[n.what];
  const async = t.async(n.async);
  return [
    "{",
    ...indent([
      ...t.site(n.site),
      ...t.items(n.site, n.items),
      ...t.there(n, [...t.wait(n.wait, async), `${call}(&${t.here}, ${async}, ${t.passed(n.items)});`]),
    ]),
    "}",
  ];
}

/** declare inside a function: mapped from here to the end of the block, however control leaves it. */
export function scopedDeclare(t: HostText, n: Declare): string[] {
  const id = `${n.site.loc.line}_${n.site.loc.col}`;
  const here = `${t.here}_${id}`;
  const items = `${t.itemList}_${id}`;
  return [
    `static const arc_site ${here} = {${JSON.stringify(n.site.loc.file)}, ${n.site.loc.line}, "declare"};`,
    ...t.items(n.site, n.items, items),
    `__extension__ __attribute__((cleanup(arc_declared_end))) const arc_declared ${t.names(`declared_${id}`)} = {&${here}, ${n.items.length}, ${items}};`,
    `arc_data_begin(&${here}, ARC_SYNC, ${n.items.length}, ${items});`,
  ];
}

export function hostData(t: HostText, n: HostData): Around {
  const device = (v: Symbol) => t.names(`device_${v.name}`);
  const flag = t.names("on");
  const test = t.onDevice(n);
  const use = n.variables.map((v) => {
    const first = n.sections?.find(({ variable }) => variable === v)?.first;
    const from = first ? `&${printExpr(first)}` : v.name;
    const found = `arc_use_device(&${t.here}, ${from}, "${v.name}", ${n.ifPresent ? 1 : 0})`;
    const call = first ? `(void *)((char *)${found} - ((char *)${from} - (char *)${v.name}))` : found;
    const value = test === undefined ? call : `${flag} ? ${call} : (void *)${v.name}`;
    return `${printDecl(decay(v.type), device(v))} = ${value};`;
  });
  const objects = (n.objects ?? []).map(({ object, pointer, leads }) => {
    const name = printExpr(object);
    const at = leads ? name : `&${name}`;
    const call = `arc_use_device(&${t.here}, ${at}, ${JSON.stringify(name)}, ${n.ifPresent ? 1 : 0})`;
    const value = test === undefined ? call : `${flag} ? ${call} : (void *)${at}`;
    return `${printDecl(pointer.type, pointer.name)} = ${value};`;
  });
  const shadow = n.variables.map((v) => `${printDecl(decay(v.type), v.name)} = ${device(v)};`);
  return {
    before: [
      "{",
      ...indent([
        ...t.site(n.site),
        ...t.number(n),
        ...(test === undefined ? [] : [`const int ${flag} = (${test}) != 0;`]),
        ...(n.device ? [`if (${flag}) arc_device_enter(${t.device});`] : []),
        ...use,
        ...objects,
        ...(n.device ? [`if (${flag}) arc_device_leave();`] : []),
        "{",
      ]),
      ...indent(indent(shadow)),
    ],
    after: ["  }", "}"],
    replaces: false,
  };
}
