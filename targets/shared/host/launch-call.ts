/** A region's launch: its data, arguments, trip counts and sizes. */
import { mapTuple } from "../../../core/checked/tuples.ts";
import type { DataItem, Task } from "../../../core/ir/model/ir.ts";
import { type Argument, argumentsOf, spmdOf } from "../../../core/ir/model/region.ts";
import { printExpr, substituteExpr } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { launchArrays } from "../loops/launch-extents.ts";
import { mostTrips } from "../loops/most-trips.ts";
import { launchTrips } from "../loops/trips.ts";
import { type HostText, indent } from "./host-text.ts";
import { wrap } from "./item-text.ts";
import { type PresentParts, presentParts } from "./present-parts.ts";
import { plainLaunch } from "./reference-run.ts";
import { hostSection } from "./section.ts";

export function launchCall(t: HostText, n: Task): string[] {
  const spmd = spmdOf(n);
  const mapped = n.items.filter((i) => moves(i));
  const args = argumentsOf(n);
  const parts = presentParts(n);
  // On the host, a variable that exists only in the region is represented by the object that it stands for.
  const objects = new Map(n.items.flatMap((i) => (i.own ? [[i.sym, i.object] as const] : [])));
  const own = { ...spmd, body: isolate(spmd.body) };
  const known = launchTrips(own);
  const trips = [
    ...known.values(),
    ...mostTrips(own, known).values(),
    ...launchArrays(n).known.map((array) => array.elements),
  ].map((t) => substituteExpr(t, objects));
  const async = t.async(n.async);
  const [argList, tripList, config] = mapTuple(["args", "trips", "config"], t.names);
  // One wait at the end covers the whole construct.
  const joined = mapped.length > 0 && n.async === undefined ? "ARC_JOINED" : async;
  // A launch that is compared with the host's own has its data entered before.
  const isPresent =
    mapped.length > 0 && t.launch === plainLaunch && mapped.every((i) => i.mapping.is === "present");
  const data = isPresent ? [] : mapped;
  const routine = isPresent ? "arc_launch_present" : "arc_launch";
  const passed = [
    `&${t.here}`,
    `"${n.region}"`,
    `&${config}`,
    String(args.length),
    args.length ? argList : "0",
    ...(isPresent ? [t.passed(mapped)] : []),
  ].join(", ");
  const size = (e: Expr | undefined) => (e ? `(long)(${printExpr(e)})` : "0");
  return [
    "{",
    ...indent([
      ...t.site(n.site),
      ...(mapped.length ? t.items(n.site, mapped, t.itemList, parts) : []),
      ...(args.length
        ? [
            `__extension__ const arc_arg ${argList}[] = {`,
            ...indent(args.map((a) => argument(a, parts))),
            "};",
          ]
        : []),
      ...(trips.length
        ? [`__extension__ const long ${tripList}[] = {${trips.map((t) => printExpr(t)).join(", ")}};`]
        : []),
      `__extension__ const arc_launch_config ${config} = {${[joined, size(spmd.numTeams), size(spmd.numUnits), size(spmd.numLanes), trips.length, trips.length ? tripList : "0"].join(", ")}};`,
      ...t.there(n, [
        ...t.wait(n.wait, async),
        ...(data.length ? [`arc_data_begin(&${t.here}, ${joined}, ${t.passed(data)});`] : []),
        ...t.launch(n, `${routine}(${passed});`, t.names, t.diagnostics),
        ...(data.length ? [`arc_data_end(&${t.here}, ${async}, ${t.passed(data)});`] : []),
      ]),
    ]),
    "}",
  ];
}

function argument(a: Argument, parts: PresentParts): string {
  const name = a.sym.name;
  const object = wrap(printExpr(a.item.object));
  if (a.how === "value") return `{"${name}", (void *)&${object}, 0, sizeof ${object}, ARC_ARG_VALUE},`;
  if (a.how === "extent") {
    const row = `${object}${"[0]".repeat(a.dim as number)}`;
    return `{"${name}", (void *)&(long){sizeof ${row} / sizeof ${row}[0]}, 0, sizeof(long), ARC_ARG_VALUE},`;
  }
  const host = a.how === "object" ? `(void *)&${object}` : `(void *)${object}`;
  const kind =
    a.item.mapping.is === "deviceptr"
      ? "ARC_ARG_DEVICEPTR"
      : a.item.mapping.is === "no-create"
        ? "ARC_ARG_MAYBE"
        : "ARC_ARG_BUFFER";
  const section = hostSection(a.item);
  if (a.item.mapping.is === "copied") {
    const [start, size] = "severity" in section ? ["0", `sizeof ${object}`] : [section.start, section.size];
    return `{"${name}", ${host}, ${start}, ${size}, ARC_ARG_COPY},`;
  }
  const part = a.how === "object" && a.item.mapping.vis === "implicit" ? parts.get(a.item.sym) : undefined;
  const start = "severity" in section ? "0" : section.start;
  return `{"${name}", ${host}, ${part?.start ?? start}, 0, ${kind}},`;
}

/** Items that the runtime must handle at the region's entry and exit. */
function moves(i: DataItem): boolean {
  if (["none", "copied", "deviceptr"].includes(i.mapping.is)) return false;
  return !(i.mapping.vis === "implicit" && ["present", "no-create"].includes(i.mapping.is));
}
