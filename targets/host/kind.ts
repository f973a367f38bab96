/** This machine's processor: regions become functions of a shared object, run by OpenMP threads. */
import { processor, type TargetKind } from "../shared/kind/kind.ts";

export const host: TargetKind = {
  kind: "host",
  description: "this machine's processor",
  options: {},
  foreign: (word) => (/x86|multicore|host|disable|default|aarch64/.test(word) ? "host" : undefined),
  emitter: async () => (await import("./emit.ts")).hostEmitter,
  device: () => processor,
  toolchain: () => ({
    extension: "c",
    payloads: [
      {
        kind: "so",
        call: {
          tool: { program: "cc", versionArgs: ["--version"], install: "apt-get install gcc libc6-dev" },
          args: (source, output, options) => [
            "-std=gnu11",
            "-O3",
            "-fPIC",
            "-shared",
            "-w",
            ...["-x", "c"],
            source,
            ...["-x", "none"],
            options,
            "-o",
            output,
            "-lm",
          ],
          takesCflags: true,
          takesOpenMp: true,
          takesRuntimeHeaders: true,
        },
      },
    ],
  }),
};
