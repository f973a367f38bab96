/** Formats figures for people. */
import { bytes, duration, joulesText } from "../../show/words.ts";
import type { Figure } from "../model/figures.ts";

export function figureText(value: number | undefined, { unit }: Pick<Figure, "unit">): string {
  if (value === undefined) return "";
  switch (unit) {
    case "seconds":
      return duration(value);
    case "joules":
      return joulesText(value);
    case "percent":
      return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
    case "MHz":
      return value.toFixed(1);
    case "bytes":
      return bytes(value);
    case "times":
      return `${value < 0.095 ? value.toPrecision(2) : value < 9.95 ? value.toFixed(2) : value.toFixed(1)} x`;
    case "count":
      return String(Math.round(value));
  }
}

/** `-12.5 %`; a value that at least doubled is shown as a factor. */
export function changeText(relative: number): string {
  if (relative >= 1)
    return `x ${relative < 998.5 ? (1 + relative).toPrecision(3) : Math.round(1 + relative)}`;
  const percent = 100 * relative;
  const text = Math.abs(percent) < 0.05 ? "0" : percent.toFixed(Math.abs(percent) < 9.95 ? 1 : 0);
  return `${percent > 0 && text !== "0" ? "+" : ""}${text} %`;
}
