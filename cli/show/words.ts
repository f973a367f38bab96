/** Formats durations, sizes, counts and reasons for people. */
import type { Counts, Reason } from "../../core/build/model/event.ts";

export function seconds(value: number): string {
  if (value < 9.95) return `${value.toFixed(value < 0.995 ? 2 : 1)} s`;
  if (value < 99.5) return `${Math.round(value)} s`;
  const minutes = Math.round(value / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** In clock format: 4:07, 1:02:30. */
export function clockTime(value: number): string {
  const wholeSeconds = Math.max(0, Math.round(value));
  const two = (n: number): string => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(wholeSeconds % 60)}`
    : `${minutes}:${two(wholeSeconds % 60)}`;
}

/** Includes milliseconds and microseconds, for launches. */
export function duration(value: number): string {
  if (value >= 0.0995) return seconds(value);
  return value >= 0.0000995 ? `${(1000 * value).toPrecision(3)} ms` : `${(1e6 * value).toPrecision(3)} µs`;
}

/** From kJ of a GPU to nJ of a few cells on an FPGA. */
export function joulesText(value: number): string {
  if (value >= 999.5) return `${(value / 1000).toPrecision(3)} kJ`;
  if (value >= 0.0995 || value === 0) return `${value.toPrecision(3)} J`;
  if (value >= 0.0000995) return `${(1000 * value).toPrecision(3)} mJ`;
  return value >= 0.0000000995 ? `${(1e6 * value).toPrecision(3)} µJ` : `${(1e9 * value).toPrecision(3)} nJ`;
}

/** How many characters of a title are shown. */
const TITLE = 160;

/** A command on one line: a script in arc.yaml may have many. If it is too long its middle is left out. */
export function oneLine(title: string, most = TITLE): string {
  if (title.length <= most && !title.includes("\n")) return title;
  const line = title.trim().replace(/\s+/g, " ");
  if (line.length <= most) return line;
  const half = Math.floor((most - 1) / 2);
  return `${line.slice(0, most - 1 - half)}…${line.slice(-half)}`;
}

/** The first `most` names, and how many more there are. */
export function someOf(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).join(", ")}${more}`;
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let rest = value;
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 || rest >= 99.5 ? Math.round(rest) : rest.toPrecision(3)} ${units[unit]}`;
}

/** `3 ran, 1 cached`: only counts above 0. */
/** `none`: what to print if no action has ended. */
export function counts(value: Counts, none = "nothing to do"): string {
  const parts = [
    [value.ran, "ran"],
    [value.cached, "cached"],
    [value.remote, "from the shared cache"],
    [value.upToDate, "up to date"],
    [value.failed, "failed"],
    [value.skipped, "skipped"],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length === 0 ? none : words.join(", ");
}

export function reason(value: Reason): string {
  switch (value.kind) {
    case "never-built":
      return "never built before";
    case "input-changed":
      return value.by === undefined
        ? `${value.input} changed`
        : `${value.input} changed (made by ${value.by})`;
    case "input-added":
      return `${value.input} is a new input`;
    case "input-removed":
      return `${value.input} is no input any more`;
    case "tool-changed":
      return `${value.tool} changed${value.before === undefined ? "" : ` from ${value.before}`}${value.after === undefined ? "" : ` to ${value.after}`}`;
    case "step-changed":
      return `arc's own step ${value.detail ?? ""} changed`;
    case "options-changed":
      return `its options changed${detail(value.detail)}`;
    case "environment-changed":
      return `its environment changed${detail(value.detail)}`;
    case "output-missing":
      return `${value.output} is missing`;
    case "output-changed":
      return `${value.output} was changed by someone else`;
    case "forced":
      return "asked for with --force";
    case "hit-checked":
      return "its result is checked";
    case "not-cacheable":
      return "it always runs";
  }
}

const detail = (text: string | undefined): string => (text === undefined ? "" : `: ${text}`);
