/** One run of a program in a folder of its own, timed from start to end. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import { type DeviceTimes, deviceTimes } from "./device-times.ts";
import { energyMeter } from "./rapl.ts";

export interface Execution {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project's folder, and the files in it that the run reads. */
  readonly root: string;
  readonly inputs: readonly string[];
  readonly stdin?: string;
  /** In seconds. */
  readonly timeout?: number;
  readonly signal: AbortSignal;
}

export interface Executed {
  readonly seconds: number;
  /** Energy of this machine's processors and memory during the run, where it is counted. */
  readonly joules?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Exit status; for a process ended by a signal, what a shell would report. */
  readonly status: number;
  readonly device?: DeviceTimes;
}

/**
 * With `watched`, device times are measured, which slows the program down a little. `look` sees what the run left in its
 * folder, which is then removed.
 */
export async function execute(
  execution: Execution,
  watched: boolean,
  look: (folder: string, ran: Omit<Executed, "device">) => Promise<void>,
): Promise<Executed> {
  const { root, inputs, stdin } = execution;
  const folder = mkdtempSync(path.join(tmpdir(), "arc-bench-"));
  const profile = path.join(folder, ".arc-profile.json");
  try {
    for (const input of inputs) {
      const place = path.join(folder, input);
      mkdirSync(path.dirname(place), { recursive: true });
      symlinkSync(path.resolve(root, input), place);
    }
    const input = stdin === undefined ? undefined : openSync(path.resolve(root, stdin), "r");
    try {
      const ran = await timed(execution, folder, input, watched ? { ARC_PROFILE: profile } : {});
      const device = watched ? deviceTimes(readIfThere(profile)) : undefined;
      await look(folder, ran);
      return { ...ran, ...(device && { device }) };
    } finally {
      if (input !== undefined) closeSync(input);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(
  { program, args, env, timeout, signal }: Execution,
  cwd: string,
  input: number | undefined,
  more: Readonly<Record<string, string>>,
): Promise<Omit<Executed, "device">> {
  return new Promise((resolve, reject) => {
    const joulesSince = energyMeter(env.ARC_POWERCAP);
    const began = process.hrtime.bigint();
    const child = spawn(program, [...args], {
      cwd,
      env: { ...env, ...more },
      stdio: [input ?? "ignore", "pipe", "pipe"],
      signal,
      ...(timeout !== undefined && { timeout: 1000 * timeout }),
    });
    let [stdout, stderr, seconds] = ["", "", 0];
    let joules: number | undefined;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("exit", () => {
      seconds = Number(process.hrtime.bigint() - began) / 1e9;
      joules = joulesSince();
    });
    child.on("close", (code) =>
      resolve({
        seconds,
        ...(joules === undefined ? {} : { joules }),
        stdout,
        stderr,
        status: code ?? 128,
      }),
    );
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Digest of the output without lines that match a pattern of arc.yaml's `ignore`, such as times. */
export function outputDigest(stdout: string, ignore: readonly string[]): Digest {
  const patterns = ignore.map((pattern) => new RegExp(pattern));
  const comparedLines = stdout.split("\n").filter((line) => !patterns.some((pattern) => pattern.test(line)));
  return digestBytes(comparedLines.join("\n"));
}
