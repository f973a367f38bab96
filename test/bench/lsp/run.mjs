/**
 * `node test/bench/lsp/run.mjs [FILE] [EDITS]`: from a key to what the editor shows. An example's source is edited inside a
 * directive, each time to a text that nobody has seen; prints the median and the slowest tenth, in ms, the editor's pause included.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

const root = path.resolve(import.meta.dirname, "../../..");
const file = path.resolve(process.argv[2] ?? path.join(root, "examples/jacobi/src/jacobi.c"));
const edits = Number(process.argv[3] ?? 30);
const folder = mkdtempSync(path.join(tmpdir(), "arc-lsp-bench-"));
const server = spawn(path.join(root, "bin/arc"), ["lsp"], {
  cwd: path.dirname(file),
  env: { ...process.env, ARC_STORE: folder },
  stdio: ["pipe", "pipe", "inherit"],
});
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const waiting = new Map();
connection.onNotification("textDocument/publishDiagnostics", ({ version }) => waiting.get(version)?.());
connection.listen();
await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
await connection.sendNotification("initialized", {});
const uri = pathToFileURL(file).href;
const text = readFileSync(file, "utf8");

function shown(version, send) {
  const done = new Promise((resolve) => waiting.set(version, resolve));
  const start = performance.now();
  return Promise.all([done, send()]).then(() => performance.now() - start);
}

await shown(1, () =>
  connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "c", version: 1, text },
  }),
);
const times = [];
/** Seconds of processor time that the server took so far: on a busy machine they tell more than the clock. */
const burned = () => {
  try {
    const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
};
let burnedFirst = 0;
/** Time for the rules' own answer, as a reader of the first one takes it. */
const PAUSE_MS = 700;
for (let version = 2; version < edits + 2; version++) {
  const changed = text.replace(/^(#pragma acc .*[^\\])$/m, `$1 async(${version})`);
  await new Promise((read) => setTimeout(read, PAUSE_MS));
  const before = burned();
  times.push(
    await shown(version, () =>
      connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text: changed }],
      }),
    ),
  );
  burnedFirst += burned() - before;
}
const each = Math.round((1000 * burnedFirst) / times.length);
await connection.sendRequest("shutdown");
await connection.sendNotification("exit");
await new Promise((resolve) => server.on("exit", resolve));
rmSync(folder, { recursive: true, force: true });
times.sort((a, b) => a - b);
const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
console.log(
  `${path.basename(file)}, ${times.length} edits: median ${at(0.5)} ms, nine of ten within ${at(0.9)} ms; ${each} ms of the server's processor time until then`,
);
