/**
 * Reads aoc's report on a design from the JSON files under reports/lib/json (loops, area, summary) and, after place and
 * route, quartus. Their structure is undocumented and differs between versions, but tables are always nodes with
 * `name`, `data` and `children` below a node with `columns`. So columns are found by name at any position, and missing
 * ones are left out.
 */

import type { LoopReport, Report, Resources } from "../shared/kind/report.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Table = { readonly [key: string]: Json };

/** `files`: name without folder -> text. Never throws. */
export function readReport(files: ReadonlyMap<string, string>): Report {
  const problems: string[] = [];
  const parsed = new Map<string, Json>();
  for (const [name, text] of files) {
    try {
      // Older versions wrap the object into a script: `var loopsJSON = {...};`
      parsed.set(
        name.replace(/\.(json|js)$/, ""),
        JSON.parse(text.replace(/^\s*var\s+\w+\s*=\s*/, "").replace(/;\s*$/, "")),
      );
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const loops = [...rows(parsed.get("loops"))].flatMap(loopOf);
  const estimate = total(parsed.get("area") ?? parsed.get("summary"));
  const fitted = fittedOf(parsed.get("quartus"));
  const fmax = fmaxOf(parsed.get("quartus"));
  return {
    loops,
    resources: { ...estimate.amount, ...fitted },
    percent: estimate.percent,
    ...(fmax !== undefined && { fmax }),
    problems,
  };
}

interface Row {
  readonly columns: readonly string[];
  readonly node: Table;
}

/** Every node with data, and the columns that apply to it. */
function* rows(json: Json | undefined, columns: readonly string[] = []): Generator<Row> {
  if (json === undefined || json === null || typeof json !== "object") return;
  if (Array.isArray(json)) {
    for (const child of json as readonly Json[]) yield* rows(child, columns);
    return;
  }
  const node = json as Table;
  const own = Array.isArray(node.columns) ? node.columns.map((c) => textOf(c).toLowerCase()) : columns;
  if (Array.isArray(node.data)) yield { columns: own, node };
  for (const [key, child] of Object.entries(node))
    if (key !== "data" && key !== "columns") yield* rows(child, own);
}

/** The first column contains the name, so data is shifted by one; some versions omit it. */
function cell({ columns, node }: Row, column: RegExp): Json | undefined {
  const data = node.data as readonly Json[];
  const at = columns.findIndex((c) => column.test(c));
  return at < 0 ? undefined : data[at - (columns.length - data.length)];
}

function loopOf(row: Row): LoopReport[] {
  const ii = numberOf(cell(row, /^(ii|initiation interval)$/));
  const pipelined = cell(row, /^pipelined/);
  if (ii === undefined && pipelined === undefined) return [];
  const line = lineOf(row.node.debug);
  const details = cell(row, /^(bottleneck|details|loop analysis details)$/);
  return [
    {
      name: textOf(row.node.name ?? ""),
      ...(line !== undefined && { line }),
      ...(pipelined !== undefined && { pipelined: /^(yes|true)/i.test(textOf(pipelined)) }),
      ...(ii !== undefined && { ii }),
      ...(typeof details === "string" && details !== "" && details !== "n/a" && { details }),
    },
  ];
}

const kinds = {
  aluts: /^(aluts|alms)$/,
  ffs: /^ffs$/,
  rams: /^rams$/,
  dsps: /^dsps$/,
  mlabs: /^mlabs$/,
} as const;

function resourcesOf(row: Row): Resources {
  const found = Object.entries(kinds).flatMap(([key, column]) => {
    const n = numberOf(cell(row, column));
    return n === undefined ? [] : [[key, n] as const];
  });
  return Object.fromEntries(found);
}

/** `total` and `total_percent` of the area report, or its largest row. */
function total(json: Json | undefined): { amount: Resources; percent: Resources } {
  if (json === undefined || json === null || typeof json !== "object" || Array.isArray(json))
    return { amount: {}, percent: {} };
  const node = json as Table;
  const columns = Array.isArray(node.columns) ? node.columns.map((c) => textOf(c).toLowerCase()) : [];
  const of = (list: Json | undefined): Resources =>
    Array.isArray(list)
      ? resourcesOf({
          columns: columns.filter((c) => Object.values(kinds).some((k) => k.test(c))),
          node: { data: list },
        })
      : {};
  const amount = of(node.total);
  if (Object.keys(amount).length > 0) return { amount, percent: of(node.total_percent) };
  const all = [...rows(json)].map(resourcesOf);
  const largest = all.reduce<Resources>((a, b) => ((b.aluts ?? 0) > (a.aluts ?? 0) ? b : a), {});
  return { amount: largest, percent: {} };
}

function fittedOf(json: Json | undefined): Resources {
  const design = [...rows(json)].find(({ node }) =>
    /full design|entire|total/i.test(textOf(node.name ?? "")),
  );
  return design ? resourcesOf(design) : {};
}

function fmaxOf(json: Json | undefined): number | undefined {
  for (const row of rows(json)) {
    const named = /fmax|clock1x|kernel clock/i.test(textOf(row.node.name ?? ""));
    const data = row.node.data as readonly Json[];
    const value = numberOf(cell(row, /fmax/)) ?? (named ? numberOf(data[0]) : undefined);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** "~1" and ">=2" are intervals, too; "n/a" is not. */
function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const digits = typeof value === "string" ? /-?\d+(\.\d+)?/.exec(value.replaceAll(",", ""))?.[0] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function lineOf(debug: Json | undefined): number | undefined {
  if (debug === undefined || debug === null || typeof debug !== "object") return undefined;
  if (Array.isArray(debug)) return debug.map((d) => lineOf(d as Json)).find((l) => l !== undefined);
  return numberOf((debug as Table).line);
}

const textOf = (value: Json): string => (typeof value === "string" ? value : String(value));
