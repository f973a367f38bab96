/**
 * Bazel's own server of the Remote Execution API (`src/tools/remote`), compiled from Debian's sources of Bazel
 * against Debian's Bazel: a server that arc's authors did not write.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const SOURCES =
  "/usr/src/bazel-bootstrap/src/tools/remote/src/main/java/com/google/devtools/build/remote/worker";
const BAZEL = "/usr/share/bazel/A-server.jar";
const LIBRARIES = "/usr/share/java/*";

/** What is missing to run it; undefined if nothing is. */
export function missingForBazelWorker(): string | undefined {
  if (!existsSync(BAZEL)) return "bazel-bootstrap is not installed";
  if (!existsSync(SOURCES)) return "bazel-bootstrap-source is not installed";
  return spawnSync("javac", ["-version"]).error === undefined ? undefined : "no javac";
}

interface BazelWorker {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  close(): void;
}

/** Compiles and starts it in a separate folder; rejects if it does not listen within a minute. */
export async function bazelWorker(folder: string): Promise<BazelWorker> {
  const classes = join(folder, "classes");
  const [work, blobs] = ["work", "blobs"].map((name) => join(folder, name)) as [string, string];
  for (const made of [classes, work, blobs]) mkdirSync(made);
  const sources = [SOURCES, join(SOURCES, "http")].flatMap((from) =>
    readdirSync(from)
      .filter((file) => file.endsWith(".java"))
      .map((file) => join(from, file)),
  );
  const libraries = `${BAZEL}:${LIBRARIES}`;
  // By which Java reads the bytes of paths.
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const options = ["-proc:none", "-nowarn", "-d", classes, "-cp", libraries];
  const compiled = spawnSync("javac", [...options, ...sources], { env });
  if (compiled.status !== 0) throw new Error(`javac: ${compiled.stderr}`);
  const port = await freePort();
  const server = spawn(
    "java",
    [
      ...["-cp", `${classes}:${libraries}`, "com.google.devtools.build.remote.worker.RemoteWorker"],
      ...[`--work_path=${work}`, `--cas_path=${blobs}`, `--listen_port=${port}`],
    ],
    { env, stdio: ["ignore", "ignore", "pipe"] },
  );
  let output = "";
  server.stderr.on("data", (bytes) => {
    output += bytes;
  });
  const deadline = Date.now() + 60_000;
  while (!output.includes("Not starting HTTP cache server")) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`Bazel's server does not listen: ${output}`);
    }
    await wait(50);
  }
  return { host: `127.0.0.1:${port}`, close: () => void server.kill("SIGKILL") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
