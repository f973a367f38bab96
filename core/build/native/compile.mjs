/** Compiles optional native parts with the system's C compiler; without one, or elsewhere than on Linux, there are none. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** The engine's library for Node. Returns undefined when it was made, else why not. */
export function compileNative(output) {
  const sources = ["native.c", "child.c", "errands.c", "strays.c", "signals.c", "fault.c"].map((file) =>
    path.join(import.meta.dirname, file),
  );
  // Node-API's functions are found in the running node, so nothing is linked.
  return compileProgram(output, sources, ["-fPIC", "-shared", "-fvisibility=hidden", "-pthread"]);
}

/** The program of `--trace-inputs`. */
export const compileTracer = (output) =>
  compileProgram(output, [path.join(import.meta.dirname, "tracer.c")], []);

/** Any program. */
export function compileProgram(output, sources, flags) {
  if (process.platform !== "linux") return `not for ${process.platform}`;
  const compiler = process.env.CC || "cc";
  const run = spawnSync(compiler, ["-O2", "-std=gnu11", ...flags, "-o", output, ...sources], {
    encoding: "utf8",
  });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr);
}

/** Of the launcher: which build it belongs to, and how Node is started from a snapshot. */
export const launcherFlags = (digest, snapshotFlags = []) => [
  `-DARC_BUILD="${digest}"`,
  `-DSNAPSHOT_FLAGS="${snapshotFlags.join(" ")}"`,
];
