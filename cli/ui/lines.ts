/** The permanent lines of a build: one per finished action, failures with their log, the summary. */

import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Finding } from "../../core/build/model/finding.ts";
import { wrapLine } from "../call/wrap.ts";
import { atSite } from "../project/emitted.ts";
import { paint } from "../show/paint.ts";
import { undeclaredWords } from "../show/undeclared.ts";
import { counts, oneLine, reason, seconds, someOf } from "../show/words.ts";
import { indented } from "./indented.ts";
import { Actions, type UiContext } from "./ui.ts";

type Failed = Extract<Event, { type: "failed" }>;
/** What the summary says of it; logs may be long. */
type Failure = Pick<Failed, "address" | "title" | "message">;
type Planned = Extract<Event, { type: "planned" }>;

/** One slip early in a file makes C compilers complain of every line behind it; theirs stop here, too. */
const MOST_FINDINGS = 20;

/** Column of titles, behind what became of the action and how long it took. */
const TITLE_AT = 16;

/** Turns events into lines; remembers what the summary has to repeat. */
export class Lines {
  readonly #context: UiContext;
  readonly #color: ReturnType<typeof paint>;
  readonly #actions: Actions;
  readonly #logs = new Map<string, string>();
  readonly #printed = new Set<string>();
  readonly #failures: Failure[] = [];
  readonly #skips: Skip[] = [];
  readonly #plans = new Map<Planned["verdict"], number>();

  constructor(context: UiContext) {
    this.#context = context;
    this.#color = paint(context.color);
    this.#actions = new Actions(context.graph);
  }

  /** Undefined for minor actions that need no line. */
  titleOf(address: Address): string | undefined {
    return this.#actions.titleOf(address);
  }

  /** The text for an event; empty for most. */
  of(event: Event): string {
    switch (event.type) {
      case "start":
        // A follow-up build retries the failures of the previous one.
        this.#failures.length = 0;
        this.#skips.length = 0;
        return "";
      case "retried":
        remove(this.#failures, event.address);
        return `${this.#color.yellow("again:")} ${this.#actions.titleOf(event.address) ?? event.address}\n`;
      case "elsewhere":
        return this.#elsewhere(event);
      case "expanded":
        this.#actions.add(event.actions);
        return "";
      case "log":
        this.#logs.set(event.address, (this.#logs.get(event.address) ?? "") + event.text);
        return "";
      case "planned":
        return this.#planned(event);
      case "done":
        return this.#done(event);
      case "failed":
        this.#failures.push({ address: event.address, title: event.title, message: event.message });
        this.#logs.delete(event.address);
        return this.#failed(event);
      case "skipped":
        if (event.because === undefined) this.#skips.push(event);
        return "";
      case "undeclared":
        return `${this.#color.yellow("undeclared:")} ${undeclaredWords(event.files)}\n`;
      case "warning":
        return `${this.#color.yellow("warning:")} ${event.message}\n`;
      default:
        return "";
    }
  }

  /** Failures are listed again at the very end, where they are found without scrolling. */
  summary(result: BuildResult): string {
    const { ran, cached, remote, skipped } = result.counts;
    const { quiet } = this.#context;
    const isQuiet =
      quiet === "unless-failed" || (quiet !== undefined && ran + cached + remote + skipped === 0);
    if (isQuiet && result.ok) return "";
    const { red, yellow, green, bold } = this.#color;
    const lines: string[] = [];
    lines.push(...skippedLines(this.#skips, this.#context.color));
    if (this.#failures.length > 1) {
      lines.push(
        ...this.#failures.map((failure) => `${red("failed:")} ${oneLine(failure.title)}: ${failure.message}`),
      );
    }
    const word = result.interrupted ? yellow("interrupted") : result.ok ? green("done") : red("failed");
    const done = counts(result.counts, result.interrupted ? "nothing was finished" : undefined);
    const what = this.#plans.size === 0 ? done : plans(this.#plans);
    lines.push(`${bold("arc:")} ${word}: ${what} in ${seconds(result.seconds)}`);
    return `${lines.join("\n")}\n`;
  }

  #elsewhere({ address, by }: Extract<Event, { type: "elsewhere" }>): string {
    const title = this.#actions.titleOf(address);
    if (title === undefined || this.#context.quiet === "unless-failed") return "";
    return `${this.#wrapped(`${this.#color.cyan("waits ")} ${"".padStart(7)}  ${title}: ${by} makes it`)}\n`;
  }

  #done(event: Extract<Event, { type: "done" }>): string {
    const log = this.#logs.get(event.address);
    this.#logs.delete(event.address);
    const title = this.#actions.titleOf(event.address);
    if (event.how === "up-to-date" || title === undefined) return "";
    const findings = this.#findings(event.address, event.diagnostics);
    if (this.#context.quiet === "unless-failed") return findings;
    const { green, cyan, dim } = this.#color;
    const ran = event.how === "ran";
    const mark = ran ? green("ran   ") : cyan(event.how === "remote" ? "shared" : "cached");
    const time = (ran ? seconds(event.seconds) : "").padStart(7);
    const same = event.unchanged && ran ? dim(" (same result as before)") : "";
    return `${this.#wrapped(`${mark} ${time}  ${title}${same}`)}\n${findings}${indented(log ?? "")}`;
  }

  #failed(event: Failed): string {
    const { red, dim, bold } = this.#color;
    const again = event.cached ? dim(" (nothing changed since it failed before)") : "";
    const head = `${red("failed")} ${seconds(event.seconds).padStart(7)}  ${bold(oneLine(event.title))}: ${event.message}${again}`;
    const findings = this.#findings(event.address, event.diagnostics);
    return `${this.#wrapped(head)}\n${findings}${indented(this.#context.foldLog?.(event.address, event.log) ?? event.log)}`;
  }

  /** Continued below the title. */
  #wrapped(line: string): string {
    const [first = "", ...rest] = line.split("\n");
    return [wrapLine(first, this.#context.width(), TITLE_AT), ...rest].join("\n");
  }

  /** Prints each finding once: a header's warning comes from every file, a source's from every target. */
  #findings(address: Address, diagnostics: readonly Finding[] = []): string {
    const fresh = atSite(diagnostics, this.#actions.of(address)).filter((diagnostic) => {
      // Remarks are shown only by `arc translate --explain`.
      if (diagnostic.severity === "note") return false;
      const text = JSON.stringify(diagnostic);
      if (this.#printed.has(text)) return false;
      this.#printed.add(text);
      return true;
    });
    const shown = this.#context.formatFindings(fresh.slice(0, MOST_FINDINGS));
    const more = fresh.length - MOST_FINDINGS;
    return more <= 0 ? shown : `${shown}and ${more} more: \`arc explain '${address}'\` lists them\n`;
  }

  #planned(event: Planned): string {
    if (event.verdict === "up-to-date" || this.#actions.titleOf(event.address) === undefined) return "";
    this.#plans.set(event.verdict, (this.#plans.get(event.verdict) ?? 0) + 1);
    const { dim } = this.#color;
    const why =
      event.because === undefined
        ? event.reason === undefined
          ? ""
          : reason(event.reason)
        : `known after ${this.#actions.titleOf(event.because) ?? event.because}`;
    const line = `${planWords[event.verdict]} ${oneLine(event.title)}${why === "" ? "" : dim(` (${why})`)}`;
    return `${wrapLine(line, this.#context.width(), 2)}\n`;
  }
}

function remove(failures: Failure[], address: Address): void {
  const at = failures.findIndex((failure) => failure.address === address);
  if (at >= 0) failures.splice(at, 1);
}

/** Summary of a dry run: `1 would run, 3 may run`. */
const plans = (verdicts: ReadonlyMap<Planned["verdict"], number>): string =>
  [...verdicts].map(([verdict, count]) => `${count} ${planWords[verdict].replace(":", "")}`).join(", ");

const planWords: Readonly<Record<Planned["verdict"], string>> = {
  "up-to-date": "",
  cached: "would take from the cache:",
  failed: "would fail again:",
  run: "would run:",
  unknown: "may run:",
  skip: "would skip:",
};

export interface Skip {
  readonly address: string;
  readonly reason: string;
}

/** One line per reason for the actions that were skipped. */
export function skippedLines(skips: readonly Skip[], color: boolean): readonly string[] {
  return [...groupSkips(skips)].map(
    ([why, addresses]) => `${paint(color).yellow("not built:")} ${someOf(addresses, 3)}: ${why}`,
  );
}

function groupSkips(skips: readonly Skip[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const skip of skips) groups.set(skip.reason, [...(groups.get(skip.reason) ?? []), skip.address]);
  return groups;
}
