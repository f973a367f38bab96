/**
 * Makes a variant its target's first in arc.yaml, so that calls without addresses mean it. All other bytes stay the
 * same.
 */

import { isSeq, parseDocument } from "yaml";
import { itemAt } from "../../core/checked/access.ts";
import type { Variant } from "../../schema/contract/variants.ts";
import { UsageError } from "../call/usage-error.ts";

/**
 * The text with each of the variant's values moved to the front of its axis's list. Throws UsageError if a list stands
 * at the top of arc.yaml, where it applies to other targets, too.
 */
export function withFirst(text: string, target: string, { all, kernels }: Variant): string {
  const document = parseDocument(text);
  const own = ["targets", target, "variants"];
  const chosen = [
    ...Object.entries(all).map(([axis, value]) => [[axis], value] as const),
    ...Object.entries(kernels).flatMap(([kernel, values]) =>
      Object.entries(values).map(([axis, value]) => [[kernel, axis], value] as const),
    ),
  ];
  const edits = chosen.flatMap(([path, value]) => {
    const ownValues = document.getIn([...own, ...path], true);
    const node = ownValues ?? document.getIn(["variants", ...path], true);
    if (!isSeq(node) || !node.range) return [];
    const items: readonly unknown[] = node.toJSON();
    const at = items.indexOf(value);
    if (at <= 0) return [];
    if (ownValues === undefined)
      throw new UsageError(
        `\`variants.${path.join(".")}\` stands at the top of arc.yaml, for other targets too`,
        `copy it to \`targets.${target}.variants\`, or write ${String(value)} first by hand`,
      );
    const words = items.map((_, i) => wordOf(node.items[i]));
    const order = [words[at], ...words.filter((_, i) => i !== at)];
    const [from, to] = node.range;
    // A block-style list keeps its dashes: only the values are exchanged.
    return node.flow
      ? [{ from, to, text: `[${order.join(", ")}]` }]
      : valuesMoved(node.items, order as string[]);
  });
  return [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((all, edit) => `${all.slice(0, edit.from)}${edit.text}${all.slice(edit.to)}`, text);
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Item = { readonly source?: string; readonly range?: readonly [number, number, number] | null };

const wordOf = (item: unknown): string => (item as Item).source ?? "";

const valuesMoved = (items: readonly unknown[], order: readonly string[]): readonly Edit[] =>
  items.flatMap((item, i) => {
    const { range } = item as Item;
    return range ? [{ from: range[0], to: range[1], text: itemAt(order, i) }] : [];
  });
