/**
 * Budgets from `budgets:` in arc.yaml: `clock drops 5 %` relative to a baseline, `area above 80 %` absolute. A budget
 * whose figure is unknown counts as broken, since a figure that disappears would be the worst change.
 */
import { differingBases } from "./compare.ts";
import { type Figure, figureOf, figures } from "./figures.ts";
import type { VariantReport } from "./report.ts";

export interface Budget {
  /** As written. */
  readonly text: string;
  /** `target` or `target:variant`; undefined: all variants. */
  readonly address?: string;
  readonly figure: Figure;
  readonly limit:
    | { readonly than: "baseline"; readonly way: "rises" | "drops"; readonly share: number }
    | { readonly than: "value"; readonly way: "above" | "below"; readonly value: number };
}

export interface Broken {
  readonly text: string;
  /** The variant, or an address that matches none. */
  readonly address: string;
  readonly figure: Figure;
  readonly before?: number;
  readonly after?: number;
  readonly why: "limit" | "unknown" | "no variant" | "other bases";
  /** What the figure was by, and what it is by now, if that is not the same. */
  readonly bases?: readonly [before: string, after: string];
}

interface BudgetError {
  readonly error: string;
  readonly remedy: string;
}

const form = /^(?:(\S+) +)?([a-z]+) +(rises?|drops?|above|below) +(\d+(?:\.\d+)?(?:e-?\d+)?) *(\S*)$/;
const example = "write for example `clock drops 5 %`, `fpga cycles rise 2 %` or `fpga:sw2 area above 80 %`";
const joules: Readonly<Record<string, number>> = { kJ: 1e3, J: 1, mJ: 1e-3, uJ: 1e-6, µJ: 1e-6 };
const seconds: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6 };

export function parseBudget(text: string): Budget | BudgetError {
  const [, address, key = "", verb = "", number = "", unit = ""] = form.exec(text.trim()) ?? [];
  if (verb === "") return { error: `\`${text}\` is no budget`, remedy: example };
  const figure = figureOf(key);
  if (figure === undefined)
    return {
      error: `\`${text}\`: there is no figure \`${key}\``,
      remedy: `there are ${figures.map((one) => one.key).join(", ")}`,
    };
  const named = { text, figure, ...(address !== undefined && { address }) };
  const isChange = /^(rise|drop)/.test(verb);
  if (isChange && unit !== "%") return { error: `\`${text}\`: a change is told in %`, remedy: example };
  if (isChange)
    return {
      ...named,
      limit: {
        than: "baseline",
        way: verb.startsWith("rise") ? "rises" : "drops",
        share: Number(number) / 100,
      },
    };
  const factor = factorOf(figure, unit);
  if (factor === undefined)
    return {
      error: `\`${text}\`: \`${unit}\` is no unit of ${figure.title}`,
      remedy: `write ${unitsOf(figure)}`,
    };
  return {
    ...named,
    limit: { than: "value", way: verb === "above" ? "above" : "below", value: factor * Number(number) },
  };
}

function factorOf({ unit }: Figure, written: string): number | undefined {
  if (unit === "seconds") return seconds[written];
  if (unit === "joules") return joules[written];
  const expected = { percent: "%", MHz: "MHz", bytes: "B", times: "x", count: "" }[unit];
  return written === expected || written === "" ? 1 : undefined;
}

const unitsOf = ({ unit }: Figure): string =>
  unit === "seconds"
    ? "s, ms or us behind the number"
    : unit === "joules"
      ? "J, mJ or uJ behind the number"
      : unit === "percent"
        ? "%"
        : unit === "count"
          ? "no unit"
          : unit;

/** `baseline`: an earlier report; variants that it does not have are not compared. */
export function brokenBudgets(
  budgets: readonly Budget[],
  variants: readonly VariantReport[],
  baseline: readonly VariantReport[],
): readonly Broken[] {
  return budgets.flatMap((budget): readonly Broken[] => {
    const { text, address, figure } = budget;
    const matching = variants.filter(
      (one) =>
        address === undefined ||
        address === one.target ||
        address === one.address ||
        one.called?.some((name) => `${one.target}:${name}` === address),
    );
    if (matching.length === 0) return [{ text, address: address ?? "", figure, why: "no variant" }];
    return matching.flatMap((variant): readonly Broken[] => {
      const base = baseline.find((one) => one.address === variant.address);
      const before = base && figure.of(base);
      const after = figure.of(variant);
      const found = {
        text,
        address: variant.address,
        figure,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
      const { limit } = budget;
      if (limit.than === "value") {
        // A budget for all variants may not apply to each: a program for the host has no clock.
        if (after === undefined) return address === undefined ? [] : [{ ...found, why: "unknown" }];
        return (limit.way === "above" ? after > limit.value : after < limit.value)
          ? [{ ...found, why: "limit" }]
          : [];
      }
      if (before === undefined) return [];
      if (after === undefined) return [{ ...found, why: "unknown" }];
      const bases = base && differingBases(figure, base, variant);
      if (bases !== undefined) return [{ ...found, why: "other bases", bases }];
      const isBroken =
        limit.way === "rises" ? after > before * (1 + limit.share) : after < before * (1 - limit.share);
      return isBroken ? [{ ...found, why: "limit" }] : [];
    });
  });
}
