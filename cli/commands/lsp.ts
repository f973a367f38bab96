/** `arc lsp`: a language server on standard input and output. */
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { EngineError } from "../../core/build/model/error.ts";
import { findTools } from "../../rules/tools/tools.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { diagnoseSource } from "../lsp/diagnose.ts";
import { serve } from "../lsp/server.ts";
import { openScratch } from "../project/scratch.ts";

declare const ARC_VERSION: string;

export async function run(call: Call): Promise<Status> {
  const scratch = openScratch(call);
  try {
    const compiler = findTools(scratch.engine, call.env).compiler();
    // Builds of one engine come one after the other.
    let last: Promise<unknown> = Promise.resolve();
    const connection = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    );
    await serve(connection, {
      version: ARC_VERSION,
      diagnoseSource(shown, signal) {
        const found = last.then(() => diagnoseSource(shown, scratch.engine, compiler, signal));
        last = found.catch(() => {});
        return found;
      },
      failed: (error) => call.err(`arc: ${error instanceof EngineError ? error.message : String(error)}\n`),
    });
    return status.done;
  } finally {
    await scratch.close();
  }
}
