/** Describes a broken budget. */
import type { Broken } from "../model/budgets.ts";
import { changeText, figureText } from "./figure.ts";

export function brokenText({ text, address, figure, before, after, bases, why }: Broken): string {
  const broken = `\`${text}\` is broken`;
  if (why === "no variant") return `${broken}: no variant is called ${address}`;
  const now = figureText(after, figure);
  if (why === "unknown") {
    const was = before === undefined ? "" : `, and was ${figureText(before, figure)}`;
    return `${broken}: of ${address} ${figure.title} is not known${was}`;
  }
  if (bases !== undefined)
    return `${broken}: ${figure.title} of ${address} is ${now} by ${bases[1]}, and was ${figureText(before, figure)} by ${bases[0]}, which cannot be compared: write the baseline again`;
  if (before === undefined) return `${broken} by ${address}: ${now}`;
  return `${broken} by ${address}: ${figureText(before, figure)} became ${now} (${changeText(after === undefined ? 0 : after / before - 1)})`;
}
