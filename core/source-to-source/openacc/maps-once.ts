/** A directive's clauses with one for each variable: `map(to: a) map(from: a)` is `copy(a)` (OpenACC 3.3, section 2.7). */
import { type Pair, pairs } from "../sites/pairs.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";

const copies = (type: string, way: "to" | "from"): boolean => type === way || type === "tofrom";

function together(one: string, other: string): string {
  const [to, from] = (["to", "from"] as const).map((way) => copies(one, way) || copies(other, way));
  return to && from ? "tofrom" : to ? "to" : from ? "from" : one;
}

const typeOf = ({ c }: Pair): string => c.names[0] ?? "tofrom";

export function eachMapOnce(site: Site): readonly Pair[] {
  const all = pairs(site);
  const types = new Map<string, string>();
  const modified = new Set<string>();
  const twice = new Set<string>();
  for (const pair of all) {
    if (pair.c.name !== "map") continue;
    for (const { written, loc } of pair.c.vars) {
      const before = types.get(written);
      if (pair.c.modifiers.length > 0) modified.add(written);
      if (before !== undefined && modified.has(written))
        throw new CannotSay(
          loc,
          `'${written}' stands in two map clauses, and OpenACC has one data clause for a variable`,
          "write the one map clause that says both",
        );
      if (before !== undefined) twice.add(written);
      types.set(written, before === undefined ? typeOf(pair) : together(before, typeOf(pair)));
    }
  }
  if (twice.size === 0) return all;
  const done = new Set<string>();
  return all.flatMap((pair): readonly Pair[] => {
    if (pair.c.name !== "map") return [pair];
    const [own, others] = [true, false].map((isTwice) =>
      pair.c.vars.filter(({ written }) => twice.has(written) === isTwice),
    );
    const first = (own ?? []).filter(({ written }) => !done.has(written));
    for (const { written } of first) done.add(written);
    return [
      ...((others ?? []).length > 0 ? [withVars(pair, others ?? [], typeOf(pair))] : []),
      ...first.map((v) => withVars(pair, [v], types.get(v.written) ?? "tofrom")),
    ];
  });
}

function withVars({ c, from }: Pair, vars: Pair["c"]["vars"], type: string): Pair {
  const list = vars.map(({ written }) => written);
  return {
    c: { ...c, vars, names: [type] },
    from: { ...from, argument: `${type}: ${list.join(", ")}`, list },
  };
}
