/** Standalone directives: data movement, waiting, device control, cache. */
import type { Expr } from "../../lang/tree/ast.ts";
import { clause, type Directive, exprOf, site } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import type { Reading } from "../directives/read-state.ts";
import type { Cache, DataMove, DeviceControl, IrNode, Sync } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { asyncClause, queueing } from "./clauses.ts";
import { declare, items, updateItems } from "./data.ts";

export function standalone(reading: Reading, d: Directive): IrNode | undefined {
  const condition = exprOf(clause(d, "if"));
  const common = { site: site(d), ...(condition && { condition }) };
  switch (d.name) {
    case "enter data":
    case "exit data":
      return node<DataMove>({
        kind: "data-move",
        what: d.name === "enter data" ? "enter" : "exit",
        site: site(d),
        ...queueing(reading, d),
        items: items(d).map((i) =>
          clause(d, "finalize") ? { ...i, mapping: { ...i.mapping, finalize: true as const } } : i,
        ),
      });
    case "update":
      return node<DataMove>({
        kind: "data-move",
        what: "update",
        site: site(d),
        ...queueing(reading, d),
        items: updateItems(d),
      });
    case "declare":
      return declare(d);
    case "cache":
      return node<Cache>({
        kind: "cache",
        site: site(d),
        items: (d.argument?.vars ?? []).map((v) => dataItem(v, "none", {})),
      });
    case "wait":
      return node<Sync>({
        kind: "sync",
        name: "wait",
        ...common,
        ...asyncClause(reading, d),
        ...(d.argument?.device && { device: d.argument.device }),
        queues: (d.argument?.exprs ?? []) as Expr[],
      });
    case "barrier":
      return node<Sync>({ kind: "sync", name: "barrier", ...common, queues: [] });
    case "init":
    case "shutdown":
    case "set": {
      const deviceNum = exprOf(clause(d, "device_num"));
      const defaultAsync = exprOf(clause(d, "default_async"));
      const deviceType = clause(d, "device_type")?.names[0];
      return node<DeviceControl>({
        kind: "device-control",
        what: d.name,
        ...common,
        ...(deviceType && { deviceType }),
        ...(deviceNum && { deviceNum }),
        ...(defaultAsync && { defaultAsync }),
      });
    }
    default:
      return undefined;
  }
}
