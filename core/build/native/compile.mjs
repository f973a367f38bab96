/**
 * Compiles the optional native parts with the system's C compiler. Without a compiler, and on other systems than Linux,
 * they are left out.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Compiles the engine's library for Node. Returns undefined on success, else the reason for the failure. */
export function compileNative(output) {
  const sources = ["native.c", "child.c", "errands.c", "strays.c", "signals.c", "fault.c"].map((file) =>
    path.join(import.meta.dirname, file),
  );
  // Node-API's functions are resolved in the running node, so nothing is linked.
  return compileProgram(output, sources, ["-fPIC", "-shared", "-fvisibility=hidden", "-pthread"]);
}

/** Compiles the program of `--trace-inputs`. */
export const compileTracer = (output) =>
  compileProgram(output, [path.join(import.meta.dirname, "tracer.c")], []);

/** Compiles a program from its sources. */
export function compileProgram(output, sources, flags) {
  if (process.platform !== "linux") return `not for ${process.platform}`;
  const compiler = process.env.CC || "cc";
  const run = spawnSync(compiler, ["-O2", "-std=gnu11", ...flags, "-o", output, ...sources], {
    encoding: "utf8",
  });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr);
}

/** Sources of the launcher, which stand in `folder`. */
export const launcherSources = (folder) =>
  ["launcher.c", "resident.c"].map((file) => path.join(folder, file));

/** Flags for the launcher: the build that it belongs to, and how Node is started from each snapshot. */
export const launcherFlags = (digest, snapshotFlags = { arc: [], cc: [] }) => [
  `-DARC_BUILD="${digest}"`,
  `-DSNAPSHOT_FLAGS="${snapshotFlags.arc.join(" ")}"`,
  `-DCOMPILER_FLAGS="${snapshotFlags.cc.join(" ")}"`,
];
