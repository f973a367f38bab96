/**
 * A timeline of a build for trace viewers (Perfetto, chrome://tracing): a bar for each action that ran, in the lane of
 * its slot, with arrows from what it needed. Format: the JSON of Chrome's Trace Event Format.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { needsOf } from "../show/graph-formats.ts";
import { reason } from "../show/words.ts";
import { Actions } from "../ui/ui.ts";

/** There is one process; lane 0 shows the actions that did not have to run. */
const PID = 1;
const TAKEN = 0;

interface Bar {
  readonly lane: number;
  /** Microseconds, the unit of all times in a trace. */
  readonly start: number;
  readonly event: Extract<Event, { type: "running" }>;
}

type TraceEvent = Readonly<Record<string, unknown>>;

export class Trace {
  readonly #descriptor: number;
  readonly #actions: Actions;
  readonly #clock: () => number;
  readonly #events: TraceEvent[] = [];
  readonly #running = new Map<Address, Bar>();
  /** Where arrows start: lane and end of finished actions. */
  readonly #done = new Map<Address, { readonly lane: number; readonly end: number }>();
  readonly #lanes: boolean[] = [true];
  #arrows = 0;

  /** Creates the file at once, so that a bad name is reported before the build. `clock` is in milliseconds. */
  constructor(file: string, graph: Iterable<Action>, clock: () => number = () => performance.now()) {
    this.#descriptor = openSync(file, "w");
    this.#actions = new Actions(graph);
    this.#clock = clock;
    this.#name("process_name", TAKEN, "arc");
    this.#name("thread_name", TAKEN, "not run");
  }

  onEvent(event: Event): void {
    switch (event.type) {
      case "expanded":
        return this.#actions.add(event.actions);
      case "running":
        return this.#start(event);
      case "done":
        return event.how === "ran"
          ? this.#end(event.address, { key: event.key, unchanged: event.unchanged ?? false })
          : this.#instant(event.address, event.how, { key: event.key, seconds: event.seconds });
      case "failed":
        return this.#running.has(event.address)
          ? this.#end(event.address, { failed: event.message })
          : this.#instant(event.address, "failed", { message: event.message });
      case "skipped":
        return this.#instant(event.address, "skipped", { reason: event.reason });
      case "end":
        for (const address of [...this.#running.keys()]) this.#end(address, { interrupted: true });
        return;
      default:
        return;
    }
  }

  close(): void {
    const events = this.#events.map((event) => JSON.stringify(event)).join(",\n");
    writeSync(this.#descriptor, `{"displayTimeUnit":"ms","traceEvents":[\n${events}\n]}\n`);
    closeSync(this.#descriptor);
  }

  get #now(): number {
    return Math.round(this.#clock() * 1000);
  }

  #start(event: Extract<Event, { type: "running" }>): void {
    const { address } = event;
    // The action is retried.
    if (this.#running.has(address)) this.#end(address, { again: true });
    const free = this.#lanes.indexOf(false);
    const lane = free < 0 ? this.#lanes.length : free;
    if (free < 0) this.#name("thread_name", lane, `slot ${lane}`);
    this.#lanes[lane] = true;
    const bar = { lane, start: this.#now, event };
    this.#running.set(address, bar);
    this.#count();
    const action = this.#actions.of(address);
    for (const need of action === undefined ? [] : needsOf(action)) this.#arrow(need, bar);
  }

  #end(address: Address, result: TraceEvent): void {
    const bar = this.#running.get(address);
    if (bar === undefined) return;
    const { lane, start, event } = bar;
    const end = this.#now;
    this.#running.delete(address);
    this.#lanes[lane] = false;
    this.#done.set(address, { lane, end });
    const args = { address, step: event.step, why: reason(event.reason), ...result };
    this.#add({ ph: "X", name: event.title, cat: event.step, tid: lane, ts: start, dur: end - start, args });
    this.#count();
  }

  #instant(address: Address, how: string, details: TraceEvent): void {
    const name = this.#actions.titleOf(address) ?? address;
    this.#add({
      ph: "i",
      s: "t",
      name,
      cat: how,
      tid: TAKEN,
      ts: this.#now,
      args: { address, how, ...details },
    });
  }

  #arrow(from: Address, { lane, start }: Bar): void {
    const source = this.#done.get(from);
    if (source === undefined) return;
    this.#arrows += 1;
    const both = { name: from, cat: "needs", id: this.#arrows };
    this.#add({ ...both, ph: "s", tid: source.lane, ts: source.end });
    this.#add({ ...both, ph: "f", bp: "e", tid: lane, ts: start });
  }

  #count(): void {
    this.#add({ ph: "C", name: "running", tid: TAKEN, ts: this.#now, args: { actions: this.#running.size } });
  }

  #name(what: string, tid: number, name: string): void {
    this.#add({ ph: "M", name: what, tid, args: { name } });
  }

  #add(event: TraceEvent): void {
    this.#events.push({ pid: PID, ...event });
  }
}
