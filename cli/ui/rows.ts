/** Rows of the live view as pieces of text: failures, running and queued actions, a panel, and the progress. */

import { stripVTControlCharacters } from "node:util";
import { itemAt } from "../../core/checked/access.ts";
import { cut, widthOf } from "../call/width.ts";
import { clockTime, seconds } from "../show/words.ts";
import { type Failure, type Running, secondsLeft } from "./progress.ts";
import { type Entry, filtered, keyHelp, type Screen } from "./screen.ts";
import { shortTitles } from "./short-titles.ts";
import type { LiveModel } from "./watched.ts";

/** A title gets at least this many characters, if necessary at the cost of what follows it. */
const LEAST_TITLE = 20;

/** Queued actions that are listed as long as nobody looks for one: every row costs processor time at each drawing. */
const QUEUED_ROWS = 5;

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** A piece of a row, with its style. */
export type Piece = readonly [text: string, look?: { readonly color?: string; readonly dimColor?: boolean }];

type NamedRow = readonly [name: string, pieces: readonly Piece[]];

/** Everything below the finished lines. */
export function liveArea(model: LiveModel, now: number, size: Size): readonly NamedRow[] {
  const { progress, screen } = model;
  const list = listRows(model, now, size);
  const status: NamedRow = ["status", statusRow(model, now, size.columns)];
  if (screen === undefined) return [...list, status];
  const keys: readonly NamedRow[] =
    screen.note !== undefined || screen.isTyping || screen.filter !== "" ? [["keys", noteRow(screen)]] : [];
  // One row less than the terminal has: anything taller could not be redrawn in place.
  const panelHeight = size.rows - 1 - list.length - keys.length - 1;
  const panel =
    screen.panel === undefined || progress.ended ? [] : panelRows(model, panelHeight, size.columns);
  return [...panel, ...list, ...keys, status];
}

interface Listed {
  readonly entry: Entry;
  readonly running?: Running;
  readonly failure?: Failure;
}

/** The list around the chosen entry, at most half the screen; failures take at most a third of it while others run. */
function listRows(model: LiveModel, now: number, size: Size): readonly NamedRow[] {
  const { progress, screen } = model;
  const height = Math.max(1, Math.floor(size.rows / 2) - 2);
  const all = listed(model);
  const running = all.filter(({ entry }) => entry.kind === "running");
  const failed = all.filter(({ entry }) => entry.kind === "failed");
  const queued = all.filter(({ entry }) => entry.kind === "queued");
  const isChosen = ({ entry }: Listed): boolean => entry.address === screen?.chosen;
  let shown: readonly Listed[];
  if (all.some(isChosen)) {
    const at = all.findIndex(isChosen);
    const first = Math.max(0, Math.min(at - Math.floor(height / 2), all.length - height));
    shown = all.slice(first, first + height);
  } else {
    const failures = failed.slice(-Math.max(1, height - running.length, Math.floor(height / 3)));
    const active = running.slice(0, Math.max(1, height - failures.length));
    shown = [
      ...failures,
      ...active,
      ...queued.slice(0, Math.min(QUEUED_ROWS, Math.max(0, height - failures.length - active.length))),
    ];
  }
  const hidden = progress.running.filter(
    ({ address }) => !shown.some(({ entry }) => entry.address === address),
  );
  const rows = entryRows(shown, model, now, size.columns);
  if (hidden.length === 0) return rows;
  return [...rows, ["more", [[`         and ${hidden.length} more`, { dimColor: true }]]]];
}

/** Failures, running and queued actions that pass the filter. */
function listed({ progress, screen, queued = [] }: LiveModel): readonly Listed[] {
  const keep = (entry: Entry): boolean => screen === undefined || filtered(screen, [entry]).length > 0;
  const failures = screen === undefined ? [] : progress.failures;
  return [
    ...failures.map((failure) => ({ entry: { ...failure, kind: "failed" as const }, failure })),
    ...progress.running.map((running) => ({ entry: { ...running, kind: "running" as const }, running })),
    ...queued.map((entry) => ({ entry })),
  ].filter(({ entry }) => keep(entry));
}

function entryRows(
  shown: readonly Listed[],
  { screen }: LiveModel,
  now: number,
  columns: number,
): readonly NamedRow[] {
  const mark = (address: string): string =>
    screen?.chosen === undefined ? "" : screen.chosen === address ? "> " : "  ";
  const around = shown.map((one) => [mark(one.entry.address) + headOf(one, now), tailOf(one)] as const);
  const titles = shortTitles(
    shown.map(({ entry }) => entry.title),
    around.map(([head, tail]) => Math.max(LEAST_TITLE, columns - widthOf(head) - widthOf(tail))),
  );
  return shown.map(({ entry }, at) => {
    const [head, tail] = itemAt(around, at);
    const { color, dimColor } = LOOKS[entry.kind];
    return [
      entry.address,
      [
        [head, color === undefined ? { dimColor: true } : { color }],
        [itemAt(titles, at), dimColor === true ? { dimColor } : {}],
        [tail, { dimColor: true }],
      ],
    ] as const;
  });
}

const LOOKS: Readonly<Record<Entry["kind"], { readonly color?: string; readonly dimColor?: boolean }>> = {
  running: { color: "yellow" },
  failed: { color: "red" },
  queued: { dimColor: true },
};

function headOf(one: Listed, now: number): string {
  if (one.running !== undefined) return timeOf(one.running, now);
  if (one.failure !== undefined) return `failed ${seconds(one.failure.seconds).padStart(7)}  `;
  return `wait ${"".padStart(7)} `;
}

function tailOf(one: Listed): string {
  if (one.running !== undefined) return stateOf(one.running);
  if (one.failure !== undefined) return one.failure.message === "" ? "" : `: ${one.failure.message}`;
  return "";
}

/** The end of a log, or the help for keys. */
function panelRows({ screen, log }: LiveModel, height: number, columns: number): readonly NamedRow[] {
  if (screen?.panel === "help") {
    const width = Math.max(...keyHelp.map(([keys]) => keys.length));
    const rows = keyHelp.map(
      ([keys, meaning]) => [`help ${keys}`, [[`  ${keys.padEnd(width)}  ${meaning}`]]] as const,
    );
    return rows.slice(0, Math.max(0, height));
  }
  const title: NamedRow = [
    "log",
    [[log === undefined ? "no log: nothing runs or failed" : `log of ${log.title}`, { dimColor: true }]],
  ];
  const text = (log?.text ?? "").trimEnd();
  const all = text === "" ? [] : text.split("\n").slice(-Math.max(0, height - 1));
  const lines = height < 2 ? [] : all;
  // Control sequences of tools would move the cursor away from where Ink expects it.
  const rows = lines.map((line, at): NamedRow => [`log ${at}`, [[cut(`  ${plain(line)}`, columns)]]]);
  return height < 1 ? [] : [title, ...rows];
}

/** The line as a terminal would show it if a tool overwrites parts of it. */
function plain(line: string): string {
  const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
  return [...stripVTControlCharacters(last)].map((char) => (char < " " ? " " : char)).join("");
}

function noteRow({ note, filter, isTyping }: Screen): readonly Piece[] {
  if (note !== undefined) return [[note, { color: "yellow" }]];
  return [
    [`filter: ${filter}`, { color: "cyan" }],
    [isTyping ? "_" : "  (Esc: all)", { dimColor: true }],
  ];
}

function timeOf({ since }: Running, now: number): string {
  // The action may have started after the clock was read for this drawing.
  return `run ${seconds(Math.max(0, now - since) / 1000).padStart(7)}  `;
}

/** The text after the title. */
function stateOf({ expected, isGuess, phase, fraction }: Running): string {
  const doing = phase === undefined ? "" : `  ${phase}`;
  const done = fraction === undefined ? "" : ` ${Math.round(fraction * 100)} %`;
  const usual =
    expected === undefined || expected < 1 ? "" : ` of ${isGuess ? "perhaps" : "about"} ${seconds(expected)}`;
  return `${usual}${doing}${done}`;
}

/** The bar gets the space left by the words, which matter more on narrow terminals. */
function statusRow({ progress, since, screen }: LiveModel, now: number, columns: number): readonly Piece[] {
  const { finished, total, cached, shared, failed, running } = progress;
  const left = secondsLeft(progress, now);
  const waiting = total - finished - running.length;
  const failures = failed > 0 ? ` · ${failed} failed` : "";
  // In display order; parts with smaller numbers are kept longest when space is short.
  const parts: readonly (readonly [text: string, keep: number])[] = [
    [`${finished} of ${total}`, 0],
    [`${running.length} running`, 2],
    ...(waiting > 0 ? [[`${waiting} waiting`, 3] as const] : []),
    ...(cached > 0 ? [[`${cached} cached`, 4] as const] : []),
    ...(shared > 0 ? [[`${shared} shared`, 5] as const] : []),
    [seconds(Math.max(0, now - since) / 1000), 2],
    ...(left === undefined ? [] : [[`about ${clockTime(left)} left`, 1] as const]),
    ...(screen === undefined || screen.panel === "help" ? [] : [["? keys", 6] as const]),
  ];
  const upTo = (most: number): string =>
    parts.flatMap(([text, keep]) => (keep <= most ? [text] : [])).join(" · ");
  const most = [6, 5, 4, 3, 2, 1].find((keep) => upTo(keep).length + failures.length <= columns) ?? 1;
  const words = upTo(most);
  return [
    [bar(finished, total, columns - words.length - failures.length - 3), { color: "cyan" }],
    [words],
    ...(failed > 0 ? [[failures, { color: "red" }] as const] : []),
  ];
}

/** Empty if there is too little space for a useful bar. */
function bar(finished: number, total: number, available: number): string {
  const width = Math.min(20, available);
  if (width < 5) return "";
  const filled = total === 0 ? 0 : Math.floor((finished / total) * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}] `;
}
