/** An engine for work outside any project: it uses the shared store and leaves nothing else behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEngine } from "../../core/build/engine.ts";
import type { Engine } from "../../core/build/engine-interface.ts";
import { registry } from "../../rules/registry.ts";
import { withoutProject } from "../../rules/tools/compiler-variables.ts";
import type { Call } from "../call/call.ts";
import { sharedCache } from "./shared-cache.ts";
import { storeFolder } from "./store-folder.ts";

export interface Scratch {
  readonly engine: Engine;
  /** A folder for this call's files, removed on close. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Names of inputs are relative to the current folder. */
export function openScratch(call: Call): Scratch {
  const remote = sharedCache(undefined, call);
  const folder = mkdtempSync(path.join(call.env.TMPDIR || tmpdir(), "arc-"));
  const engine = createEngine({
    root: call.cwd,
    store: storeFolder(call, undefined),
    // Several calls may run in one folder: they share only the store.
    state: path.join(folder, "state"),
    registry,
    environment: call.env,
    given: withoutProject,
    ...(remote === undefined ? {} : { remote }),
  });
  return {
    engine,
    folder,
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
