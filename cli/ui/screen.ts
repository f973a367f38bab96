/** What the user looks at during a build: a pure fold over keys. */
import type { Address } from "../../core/build/model/action.ts";
import type { Key } from "./keyboard.ts";

export interface Entry {
  readonly address: Address;
  readonly kind: "failed" | "running" | "queued";
  readonly title: string;
}

export interface Screen {
  readonly chosen?: Address;
  readonly panel?: "log" | "help";
  /** Only actions whose titles contain these words are listed. */
  readonly filter: string;
  /** Keys are letters of the filter. */
  readonly isTyping: boolean;
  /** A reply to the last key. */
  readonly note?: string;
}

export type Wish =
  | { readonly do: "cancel"; readonly address: Address }
  | { readonly do: "retry"; readonly addresses: readonly Address[] }
  | { readonly do: "quit" };

export const firstScreen: Screen = { filter: "", isTyping: false };

export const keyHelp: readonly (readonly [keys: string, meaning: string])[] = [
  ["up, down", "choose a line"],
  ["l", "log of the chosen one, else of the last failure"],
  ["f", "list only what has these words in its name; Esc: all"],
  ["r", "try the chosen failure again, else all of them"],
  ["c", "cancel the chosen one; the others go on"],
  ["q", "end the build; what is finished is kept"],
  ["?", "this"],
];

interface Pressed {
  readonly screen: Screen;
  readonly request?: Wish;
}

/** Undefined: the key means nothing here. */
export function press(screen: Screen, key: Key, entries: readonly Entry[]): Pressed | undefined {
  const { note: _, ...quiet } = screen;
  if (screen.isTyping) return { screen: typed(quiet, key) };
  switch (key) {
    case "up":
      return { screen: moved(quiet, entries, -1) };
    case "down":
      return { screen: moved(quiet, entries, 1) };
    case "l":
      return { screen: withPanel(quiet, "log") };
    case "?":
      return { screen: withPanel(quiet, "help") };
    case "f":
    case "/":
      return { screen: { ...quiet, isTyping: true } };
    case "escape":
      return { screen: firstScreen };
    case "r":
      return retried(quiet, entries);
    case "c":
      return cancelled(quiet, entries);
    case "q":
      return { screen: { ...quiet, note: "ending: q again ends at once" }, request: { do: "quit" } };
    default:
      return undefined;
  }
}

/** The entry whose log the panel shows; undefined: there is none. */
export function logged(screen: Screen, entries: readonly Entry[]): Entry | undefined {
  return (
    chosenOf(screen, entries) ??
    entries.findLast(({ kind }) => kind === "failed") ??
    entries.find(({ kind }) => kind === "running")
  );
}

export function filtered<T extends Entry>({ filter }: Screen, entries: readonly T[]): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/);
  const fits = ({ title, address }: Entry): boolean => {
    const text = `${title} ${address}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return filter === "" ? entries : entries.filter(fits);
}

function typed(screen: Screen, key: Key): Screen {
  if (key === "enter") return { ...screen, isTyping: false };
  if (key === "escape") return { ...screen, isTyping: false, filter: "" };
  if (key === "backspace") return { ...screen, filter: screen.filter.slice(0, -1) };
  return key.length === 1 ? { ...screen, filter: screen.filter + key } : screen;
}

function moved(screen: Screen, entries: readonly Entry[], by: number): Screen {
  const at = entries.findIndex(({ address }) => address === screen.chosen);
  const next =
    at < 0 ? (by > 0 ? 0 : entries.length - 1) : Math.min(entries.length - 1, Math.max(0, at + by));
  const chosen = entries[next]?.address;
  return chosen === undefined ? screen : { ...screen, chosen };
}

function withPanel({ panel, ...screen }: Screen, requested: "log" | "help"): Screen {
  return panel === requested ? screen : { ...screen, panel: requested };
}

const chosenOf = ({ chosen }: Screen, entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ address }) => address === chosen);

function retried(screen: Screen, entries: readonly Entry[]): Pressed {
  const chosen = chosenOf(screen, entries);
  const failed = entries.filter(({ kind }) => kind === "failed");
  const these = chosen?.kind === "failed" ? [chosen] : failed;
  if (these.length === 0) return { screen: { ...screen, note: "nothing failed" } };
  return { screen, request: { do: "retry", addresses: these.map(({ address }) => address) } };
}

function cancelled(screen: Screen, entries: readonly Entry[]): Pressed {
  const running = entries.filter(({ kind }) => kind === "running");
  const one = chosenOf(screen, running) ?? (running.length === 1 ? running[0] : undefined);
  if (one === undefined) return { screen: { ...screen, note: "choose what runs with the arrows, then c" } };
  return { screen, request: { do: "cancel", address: one.address } };
}
