/**
 * Displays a build on a terminal. The live view is loaded when the first action runs, so that a build in which nothing
 * runs ends before anything is drawn, and does not flicker.
 */
import type { Address } from "../../core/build/model/action.ts";
import { Feed } from "./feed.ts";
import { LogFiles } from "./folded-log.ts";
import { Lines } from "./lines.ts";
import type { LiveView } from "./live.tsx";
import type { Wish } from "./screen.ts";
import type { Controls, Ui, UiContext } from "./ui.ts";

/** `controls`: absent if keys belong to another program. */
export function terminalUi(context: UiContext, stream: NodeJS.WriteStream, controls?: Controls): Ui {
  const files = new LogFiles(context.root);
  const lines = new Lines({ ...context, foldLog: (address, log) => files.folded(address, log) });
  const feed = new Feed((address) => lines.titleOf(address), controls !== undefined);
  const again = new Set<Address>();
  let ended = false;
  let view: LiveView | undefined;
  let deafen: (() => void) | undefined;
  let loading: Promise<typeof import("./live.tsx")> | undefined;
  let _opening: Promise<void> | undefined;
  const grant = (request: Wish, { requests, quit }: Controls): void => {
    if (request.do === "quit") quit();
    else if (request.do === "cancel") {
      if (!requests.cancel(request.address)) feed.answer("it does not run any more");
    } else {
      // A build that stops because of a failure starts nothing more: a follow-up build does.
      const later = request.addresses.filter((address) => !requests.retry(address));
      for (const address of later) again.add(address);
      if (later.length > 0) feed.answer("tried again when what runs is done");
    }
  };
  const listen = (): void => {
    if (controls === undefined) return;
    deafen ??= controls.keyboard.listen((key) => {
      const wish = feed.press(key);
      if (wish === false) return false;
      if (wish !== undefined) grant(wish, controls);
      return true;
    });
  };
  const load = () => {
    loading ??= import("./live.tsx");
    return loading;
  };
  const open = async (): Promise<void> => {
    const live = await load();
    if (!ended) view = live.openLiveView(feed, stream, context.color);
  };
  const close = async (): Promise<void> => {
    ended = true;
    deafen?.();
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
      // Load the view early, as something is about to run.
      if (event.type === "ready") void load();
      if (event.type !== "running") return;
      listen();
      _opening ??= open();
    },
    async finish(result) {
      await close();
      context.write(lines.summary(result));
    },
    abandon() {
      void close();
    },
    again() {
      const these = [...again];
      again.clear();
      return these;
    },
  };
}
