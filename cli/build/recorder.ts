/** Records a build for `arc report --html`. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { type BuildRecord, type RecordedAction, recordFile } from "../report/model/build-record.ts";
import { needsOf } from "../show/graph-formats.ts";
import { reason } from "../show/words.ts";
import { Actions } from "../ui/ui.ts";

/** With more actions a timeline is unreadable and its file large. */
const MOST = 5000;

interface Open {
  readonly event: Extract<Event, { type: "running" }>;
  readonly lane: number;
}

export class Recorder {
  readonly #actions: Actions;
  readonly #open = new Map<Address, Open>();
  readonly #lanes: boolean[] = [];
  readonly #closed: RecordedAction[] = [];
  #started = 0;
  #saved = 0;
  #record: BuildRecord | undefined;

  constructor(graph: Iterable<Action>) {
    this.#actions = new Actions(graph);
  }

  onEvent(event: Event): void {
    switch (event.type) {
      case "start":
        // A follow-up build that retries failures belongs to the same record.
        this.#started ||= event.time;
        return;
      case "expanded":
        return this.#actions.add(event.actions);
      case "running": {
        const free = this.#lanes.indexOf(false);
        const lane = free < 0 ? this.#lanes.length : free;
        this.#lanes[lane] = true;
        this.#close(event.address, 0);
        this.#open.set(event.address, { event, lane });
        return;
      }
      case "done":
        if (event.how === "ran") this.#close(event.address, event.seconds);
        else this.#saved += event.seconds;
        return;
      case "failed":
        return this.#close(event.address, event.seconds, event.message);
      case "end":
        this.#record = {
          started: this.#started,
          seconds: event.seconds,
          ok: event.ok,
          counts: event.counts,
          saved: this.#saved,
          actions: longest(this.#closed).sort((a, b) => a.start - b.start),
        };
        return;
      default:
        return;
    }
  }

  /** Writes nothing if no action ran: the record of the previous build, which says more, stays. */
  save(root: string): void {
    if (this.#record === undefined || this.#closed.length === 0) return;
    try {
      writeFileSync(path.join(root, recordFile), JSON.stringify(this.#record));
    } catch {
      // Ignored: the build itself reports a full or read-only disk, and this file is only for display.
    }
  }

  #close(address: Address, seconds: number, failed?: string): void {
    const open = this.#open.get(address);
    if (open === undefined) return;
    const { event, lane } = open;
    this.#open.delete(address);
    this.#lanes[lane] = false;
    const action = this.#actions.of(address);
    this.#closed.push({
      address,
      title: event.title,
      step: event.step,
      start: (event.time - this.#started) / 1000,
      seconds,
      lane,
      why: reason(event.reason),
      needs: action === undefined ? [] : needsOf(action),
      ...(failed !== undefined && { failed }),
    });
  }
}

const longest = (actions: readonly RecordedAction[]): RecordedAction[] =>
  [...actions].sort((a, b) => b.seconds - a.seconds).slice(0, MOST);
