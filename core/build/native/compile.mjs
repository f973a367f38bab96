/** Compiles the optional native part with the system's C compiler; without one, or elsewhere than on Linux, there is none. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Returns undefined when it was made, else why not. */
export function compileNative(output) {
  if (process.platform !== "linux") return `not for ${process.platform}`;
  const compiler = process.env.CC || "cc";
  const sources = ["native.c", "child.c", "errands.c", "fault.c"].map((file) => path.join(import.meta.dirname, file));
  // Node-API's functions are found in the running node, so nothing is linked.
  const flags = ["-O2", "-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"];
  const run = spawnSync(compiler, [...flags, "-o", output, ...sources], { encoding: "utf8" });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr);
}
