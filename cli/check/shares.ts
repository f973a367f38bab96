/**
 * Many files are read by several processes: rules are JavaScript, of which a process runs one line at a time. Helpers
 * leave what they found in the store, where the caller takes it from.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import type { SourceFile } from "../../rules/plan/whole-program.ts";
import { quickCommandOfArc } from "../call/again.ts";
import type { Call } from "../call/call.ts";

/** Fewer are read before another process has started. */
const FILES_PER_PROCESS = 12;

/** Files by the process that reads them first, this one's at the head. */
export function shares(files: readonly SourceFile[], jobs: number): readonly (readonly SourceFile[])[] {
  const count = Math.max(1, Math.min(jobs, Math.floor(files.length / FILES_PER_PROCESS)));
  return Array.from({ length: count }, (_, k) => files.filter((_, i) => i % count === k));
}

export const processesWanted = ({ options }: Call): number =>
  /^[1-9]\d{0,5}$/.test(String(options.jobs)) ? Number(options.jobs) : availableParallelism();

/** Of one file most dies with it: a young generation that holds several is collected seldom. */
const heapOptions = ["--min-semi-space-size=64", "--max-semi-space-size=64", "--no-parallel-scavenge"];

interface Helper {
  /** Whatever became of it: what it has not found is found by the caller. */
  readonly done: Promise<unknown>;
  stop(): void;
}

/** Reads the files with the compiler's options. Its findings go into the store only, where the caller picks them up. */
export function startHelper(files: readonly SourceFile[], cflags: readonly string[], call: Call): Helper {
  const store = typeof call.options.store === "string" ? ["--store", call.options.store] : [];
  const wanted = ["advice", "maybe"].flatMap((name) => (call.options[name] === true ? [`--${name}`] : []));
  const names = files.map(({ file }) => file);
  const [program, ...args] = quickCommandOfArc(heapOptions);
  const child = spawn(
    program,
    [...args, "check", "--jobs", "1", ...wanted, ...store, ...names, "--", ...cflags],
    {
      cwd: call.cwd,
      env: { ...call.env },
      stdio: "ignore",
    },
  );
  return {
    done: Promise.race([once(child, "exit"), once(child, "error")]).catch(() => undefined),
    stop: () => child.kill(),
  };
}
