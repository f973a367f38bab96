/** `arc lsp`: a language server on standard input and output. */

import { setImmediate } from "node:timers/promises";
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { EngineError } from "../../core/build/model/error.ts";
import { noteTexts, prepareHeadStarts } from "../../core/compiler/driver/head-starts.ts";
import { findTools } from "../../rules/tools/tools.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { diagnoseSource } from "../lsp/diagnose.ts";
import { kernelPlaces } from "../lsp/kernel-text.ts";
import { serve } from "../lsp/server.ts";
import { openScratch } from "../project/scratch.ts";

declare const ARC_VERSION: string;

/** Reads included files in advance, in small steps, while there is nothing else to do. */
async function readAhead(isIdle: () => boolean): Promise<void> {
  await setImmediate();
  if (!isIdle()) return;
  for (const _ of prepareHeadStarts()) {
    await setImmediate();
    if (!isIdle()) return;
  }
}

export async function run(call: Call): Promise<Status> {
  const scratch = openScratch(call);
  try {
    const compiler = findTools(scratch.engine, call.env).compiler();
    // An engine runs one build at a time.
    let last: Promise<unknown> = Promise.resolve();
    const connection = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    );
    noteTexts();
    let looking = 0;
    const inTurn = <T>(look: () => Promise<T>): Promise<T> => {
      looking += 1;
      const found = last.then(look);
      last = found
        .catch(() => {})
        .finally(() => {
          looking -= 1;
          void readAhead(() => looking === 0);
        });
      return found;
    };
    await serve(connection, {
      version: ARC_VERSION,
      diagnoseSource: (shown, signal, early) =>
        inTurn(() => diagnoseSource(shown, scratch.engine, compiler, signal, early)),
      kernelPlaces: (asked) => inTurn(() => kernelPlaces(asked, scratch.engine, compiler, scratch.folder)),
      failed: (error) => call.err(`arc: ${error instanceof EngineError ? error.message : String(error)}\n`),
    });
    return status.done;
  } finally {
    await scratch.close();
  }
}
