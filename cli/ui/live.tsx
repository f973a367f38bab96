/** The live view of a build: finished lines scroll away above, what runs is redrawn below. */
import { Box, render, Static, Text, useStdout } from "ink";
import { useEffect, useState, useSyncExternalStore } from "react";
import { clockTime, seconds } from "../show/words.ts";
import { type Progress, type Running, secondsLeft } from "./progress.ts";
import { shortTitles } from "./short-titles.ts";

/** What the view shows; `subscribe` tells when it changed. */
export interface LiveModel {
  readonly lines: readonly string[];
  readonly progress: Progress;
  /** Milliseconds since the epoch, when the build began. */
  readonly since: number;
}

export interface LiveSource {
  /** The same object until something changed. */
  readonly model: () => LiveModel;
  readonly subscribe: (changed: () => void) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface LiveView {
  /** Removes the live area; the finished lines stay. */
  close(): Promise<void>;
}

/** How often elapsed times are redrawn. */
const tickMs = 100;

/** A title gets so many characters, if need be at the cost of what follows it. */
const LEAST_TITLE = 20;

/** Erases the row of the cursor, and goes to the one above. */
const ERASE_UPWARDS = "\u001b[2K\u001b[1A";

export function openLiveView(source: LiveSource, stream: NodeJS.WriteStream): LiveView {
  let columns = stream.columns || 80;
  // Ink erases as many rows as it drew. Where a terminal became narrower it has wrapped them; xterm cuts them off.
  const eraseWrapped = (): void => {
    const before = columns;
    columns = stream.columns || 80;
    if (columns >= before || process.env.XTERM_VERSION !== undefined) return;
    const size = { ...sizeOf(stream), columns: before };
    const drawn = liveRows(source.model(), source.now(), size).map((row) => Math.min(row.length, before));
    const wrapped = drawn.reduce((sum, length) => sum + Math.max(0, Math.ceil(length / columns) - 1), 0);
    stream.write(ERASE_UPWARDS.repeat(wrapped));
  };
  stream.prependListener("resize", eraseWrapped);
  const instance = render(<Build source={source} />, {
    stdout: stream,
    // Ctrl-C is the engine's business: children are stopped, finished results kept.
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    async close() {
      stream.off("resize", eraseWrapped);
      // One turn of the loop lets the last lines be drawn.
      await new Promise((drawn) => setImmediate(drawn));
      instance.clear();
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}

export function Build({ source }: { readonly source: LiveSource }) {
  const model = useSyncExternalStore(source.subscribe, source.model);
  const [now, setNow] = useState(source.now);
  const { stdout } = useStdout();
  useEffect(() => {
    const timer = setInterval(() => {
      // Timers run before signals are heard of: what is drawn in between would be drawn for another width.
      (stdout as { _refreshSize?: () => void })._refreshSize?.();
      setNow(source.now());
    }, tickMs);
    return () => clearInterval(timer);
  }, [source, stdout]);
  const { progress, lines, since } = model;
  // Finished lines are appended only, so their positions are their names.
  const items = lines.map((text, index) => ({ text, key: String(index) }));
  return (
    <>
      <Static items={items}>{({ text, key }) => <Text key={key}>{text}</Text>}</Static>
      {progress.ended ? null : <Live progress={progress} since={since} now={now} size={sizeOf(stdout)} />}
    </>
  );
}

interface LiveProps {
  readonly progress: Progress;
  readonly since: number;
  readonly now: number;
  readonly size: Size;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

const sizeOf = ({ rows, columns }: NodeJS.WriteStream): Size => ({
  rows: rows || 24,
  columns: columns || 80,
});

/** A piece of a row, and how it looks. */
type Piece = readonly [text: string, look?: { readonly color?: string; readonly dimColor?: boolean }];

/** Never taller than half the screen: a live area that does not fit cannot be redrawn in place. */
function Live({ progress, since, now, size }: LiveProps) {
  const { running, hidden, status } = liveArea(progress, since, now, size);
  return (
    <Box flexDirection="column">
      {running.map(([address, pieces]) => (
        <Row key={address} pieces={pieces} />
      ))}
      {hidden === undefined ? null : <Row pieces={hidden} />}
      <Row pieces={status} />
    </Box>
  );
}

/** As wide as the terminal is when Ink lays it out, which it does for a new width before anything here is asked. */
function Row({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <Box>
      <Text wrap="truncate-end">
        {pieces.map(([text, look], at) => (
          <Text key={at} {...look}>
            {text}
          </Text>
        ))}
      </Text>
    </Box>
  );
}

/** What is drawn below the finished lines. */
function liveArea(progress: Progress, since: number, now: number, { rows, columns }: Size) {
  const room = Math.max(1, Math.floor(rows / 2) - 2);
  const hidden = progress.running.length - room;
  return {
    running: runningRows(progress.running.slice(0, room), now, columns),
    hidden: hidden > 0 ? ([[`         and ${hidden} more`, { dimColor: true }]] as const) : undefined,
    status: statusRow(progress, since, now, columns),
  };
}

/** The same as text, before Ink cuts off what is still too long for the terminal. */
function liveRows({ progress, since }: LiveModel, now: number, size: Size): readonly string[] {
  if (progress.ended) return [];
  const { running, hidden, status } = liveArea(progress, since, now, size);
  const all = [...running.map(([, pieces]) => pieces), ...(hidden === undefined ? [] : [hidden]), status];
  return all.map((pieces) => pieces.map(([text]) => text).join(""));
}

function runningRows(
  running: readonly Running[],
  now: number,
  columns: number,
): readonly (readonly [Running["address"], readonly Piece[]])[] {
  const around = running.map((one) => [timeOf(one, now), stateOf(one)] as const);
  const titles = shortTitles(
    running.map(({ title }) => title),
    around.map(([time, state]) => Math.max(LEAST_TITLE, columns - time.length - state.length)),
  );
  return running.map(({ address }, at) => {
    const [time, state] = around[at] as readonly [string, string];
    const pieces: readonly Piece[] = [
      [time, { color: "yellow" }],
      [titles[at] as string],
      [state, { dimColor: true }],
    ];
    return [address, pieces] as const;
  });
}

function timeOf({ since }: Running, now: number): string {
  // What began after the clock was read for this drawing has just begun.
  return `run ${seconds(Math.max(0, now - since) / 1000).padStart(7)}  `;
}

/** What follows the title. */
function stateOf({ expected, phase, fraction }: Running): string {
  const doing = phase === undefined ? "" : `  ${phase}`;
  const done = fraction === undefined ? "" : ` ${Math.round(fraction * 100)} %`;
  const usual = expected === undefined || expected < 1 ? "" : ` of about ${seconds(expected)}`;
  return `${usual}${doing}${done}`;
}

/** The bar has what room the words leave: on 60 columns they are what counts. */
function statusRow(progress: Progress, since: number, now: number, columns: number): readonly Piece[] {
  const { finished, total, cached, shared, failed, running } = progress;
  const left = secondsLeft(progress, now);
  const waiting = total - finished - running.length;
  const failures = failed > 0 ? ` · ${failed} failed` : "";
  // In the order in which they stand; what is told first is kept longest where there is little room.
  const parts: readonly (readonly [text: string, keep: number])[] = [
    [`${finished} of ${total}`, 0],
    [`${running.length} running`, 2],
    ...(waiting > 0 ? [[`${waiting} waiting`, 3] as const] : []),
    ...(cached > 0 ? [[`${cached} cached`, 4] as const] : []),
    ...(shared > 0 ? [[`${shared} shared`, 5] as const] : []),
    [seconds(Math.max(0, now - since) / 1000), 2],
    ...(left === undefined ? [] : [[`about ${clockTime(left)} left`, 1] as const]),
  ];
  const upTo = (most: number): string =>
    parts.flatMap(([text, keep]) => (keep <= most ? [text] : [])).join(" · ");
  const most = [5, 4, 3, 2, 1].find((keep) => upTo(keep).length + failures.length <= columns) ?? 1;
  const words = upTo(most);
  return [
    [bar(finished, total, columns - words.length - failures.length - 3), { color: "cyan" }],
    [words],
    ...(failed > 0 ? [[failures, { color: "red" }] as const] : []),
  ];
}

/** Nothing where there is no room for one that tells anything. */
function bar(finished: number, total: number, room: number): string {
  const width = Math.min(20, room);
  if (width < 5) return "";
  const filled = total === 0 ? 0 : Math.floor((finished / total) * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}] `;
}
