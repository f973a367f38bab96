/**
 * A build on a terminal. The live view is loaded when the first action runs: a build in which nothing
 * runs ends before it would be drawn, and never flickers.
 */
import type { Event } from "../../core/build/model/event.ts";
import { Lines } from "./lines.ts";
import type { LiveModel, LiveSource, LiveView } from "./live.tsx";
import { advance, noProgress } from "./progress.ts";
import type { Ui, UiContext } from "./ui.ts";

export function terminalUi(context: UiContext, stream: NodeJS.WriteStream): Ui {
  const lines = new Lines(context);
  const feed = new Feed();
  let ended = false;
  let view: LiveView | undefined;
  let _opening: Promise<void> | undefined;
  const open = async (): Promise<void> => {
    const live = await import("./live.tsx");
    if (!ended) view = live.openLiveView(feed, stream);
  };
  const close = async (): Promise<void> => {
    ended = true;
    feed.flush();
    if (view === undefined)
      context.write(
        feed
          .model()
          .lines.map((line) => `${line}\n`)
          .join(""),
      );
    else await view.close();
  };
  return {
    onEvent(event) {
      feed.add(event, lines.of(event));
      if (event.type === "running") _opening ??= open();
    },
    async finish(result) {
      await close();
      context.write(lines.summary(result));
    },
    abandon() {
      void close();
    },
  };
}

/** Collects events and tells of them a few times a second, however many there are. */
class Feed implements LiveSource {
  #model: LiveModel = { lines: [], progress: noProgress, since: Date.now() };
  #pending: NodeJS.Timeout | undefined;
  #progress = noProgress;
  readonly #lines: string[] = [];
  readonly #subscribers = new Set<() => void>();

  readonly now = Date.now;

  readonly model = (): LiveModel => this.#model;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed);
    return () => this.#subscribers.delete(changed);
  };

  add(event: Event, text: string): void {
    this.#progress = advance(this.#progress, event);
    if (text !== "") this.#lines.push(text.replace(/\n$/, ""));
    this.#pending ??= setTimeout(() => this.flush(), 40);
  }

  flush(): void {
    clearTimeout(this.#pending);
    this.#pending = undefined;
    this.#model = { ...this.#model, progress: this.#progress, lines: [...this.#lines] };
    for (const changed of this.#subscribers) changed();
  }
}
