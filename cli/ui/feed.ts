/** Collects what the live view shows from the engine's events, and updates it a few times a second. */
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Key } from "./keyboard.ts";
import { advance, noProgress } from "./progress.ts";
import { type Entry, filtered, firstScreen, logged, press, type Screen, type Wish } from "./screen.ts";
import type { LiveModel, LiveSource } from "./watched.ts";

/** How many characters of a log are kept for the panel. */
const LOG_END = 32 * 1024;
/** How many queued actions are listed. */
const NAMED = 50;
/** Delay of an update after an event, in ms: events often come together. */
const DELAY_MS = 40;
/** Time between two updates, in ms, unless a key was pressed: each costs a few ms of processor time. */
const BETWEEN_MS = 500;

export class Feed implements LiveSource {
  #model: LiveModel;
  #pending: NodeJS.Timeout | undefined;
  /** When the view was updated last, in ms since the epoch. */
  #updated = 0;
  #progress = noProgress;
  #screen: Screen = firstScreen;
  readonly #lines: string[] = [];
  readonly #queued = new Set<Address>();
  readonly #logs = new Map<Address, string>();
  readonly #subscribers = new Set<() => void>();
  readonly #titleOf: (address: Address) => string | undefined;

  constructor(titleOf: (address: Address) => string | undefined, hasKeys: boolean) {
    this.#titleOf = titleOf;
    this.#model = {
      lines: [],
      progress: noProgress,
      since: Date.now(),
      ...(hasKeys ? { screen: firstScreen } : {}),
    };
  }

  readonly now = Date.now;

  readonly model = (): LiveModel => this.#model;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed);
    return () => this.#subscribers.delete(changed);
  };

  add(event: Event, text: string): void {
    this.#progress = advance(this.#progress, event);
    if (text !== "") this.#lines.push(text.replace(/\n$/, ""));
    this.#note(event);
    this.#soon();
  }

  /** Handles a key and returns the user's request; undefined: there is none. False: the key means nothing here. */
  press(key: Key): Wish | undefined | false {
    const pressed = press(this.#screen, key, this.#entries());
    if (pressed === undefined) return false;
    this.#screen = pressed.screen;
    this.flush();
    return pressed.request;
  }

  answer(note: string): void {
    this.#screen = { ...this.#screen, note };
    this.flush();
  }

  flush(): void {
    clearTimeout(this.#pending);
    this.#pending = undefined;
    this.#updated = this.now();
    const { screen } = this.#model;
    this.#model = {
      ...this.#model,
      progress: this.#progress,
      lines: this.#lines.length === this.#model.lines.length ? this.#model.lines : [...this.#lines],
      ...(screen === undefined ? {} : this.#looked()),
    };
    for (const changed of this.#subscribers) changed();
  }

  #soon(): void {
    const delay = Math.max(DELAY_MS, this.#updated + BETWEEN_MS - this.now());
    this.#pending ??= setTimeout(() => this.flush(), delay);
  }

  #looked(): Partial<LiveModel> {
    const entries = this.#entries();
    const one = this.#screen.panel === "log" ? logged(this.#screen, entries) : undefined;
    return {
      screen: this.#screen,
      queued: entries.filter(({ kind }) => kind === "queued"),
      ...(one === undefined ? {} : { log: { title: one.title, text: this.#logs.get(one.address) ?? "" } }),
    };
  }

  /** In the order in which they are listed. */
  #entries(): readonly Entry[] {
    const { failures, running } = this.#progress;
    const queued: Entry[] = [];
    for (const address of this.#queued) {
      if (queued.length === NAMED) break;
      const title = this.#titleOf(address);
      if (title !== undefined) queued.push({ address, title, kind: "queued" });
    }
    const all: Entry[] = [
      ...failures.map(({ address, title }) => ({ address, title, kind: "failed" as const })),
      ...running.map(({ address, title }) => ({ address, title, kind: "running" as const })),
      ...queued,
    ];
    return filtered(this.#screen, all);
  }

  #note(event: Event): void {
    switch (event.type) {
      case "start":
        this.#queued.clear();
        return;
      case "ready":
        this.#queued.add(event.address);
        return;
      case "running":
        this.#queued.delete(event.address);
        this.#logs.delete(event.address);
        return;
      case "log":
        this.#logs.set(event.address, ((this.#logs.get(event.address) ?? "") + event.text).slice(-LOG_END));
        return;
      case "failed":
        this.#queued.delete(event.address);
        // A copy: a slice would keep the whole log in memory.
        this.#logs.set(event.address, Buffer.from(event.log.slice(-LOG_END)).toString());
        return;
      case "done":
      case "skipped":
        this.#queued.delete(event.address);
        this.#logs.delete(event.address);
        return;
      default:
        return;
    }
  }
}
