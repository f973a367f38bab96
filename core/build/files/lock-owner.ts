/** The process that holds something on disk, distinguished from later processes with the same number. */
import { readFileSync, readlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { errnoOf } from "../model/system-error.ts";

/** Ticks per second of the clock in /proc: the same on every Linux. */
const TICKS = 100;

/** `PID-START-HOST` of this process; START is its start time in the kernel's ticks. */
export function holderName(): string {
  return `${process.pid}-${startOf(process.pid)}-${hostName()}`;
}

/**
 * Includes the PID name space: containers may share a host name, and process numbers mean nothing across name spaces.
 */
function hostName(): string {
  try {
    return `${hostname()}~${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    return hostname();
  }
}

export function describeHolder(name: string): string {
  const [, pid, host] = parse(name) ?? ["", "?", "?"];
  return `process ${pid} on ${host === hostName() ? hostname() : host}`;
}

/** A unique name for one of several things that this process holds. */
export function holdingName(number: number): string {
  return `${holderName()}.${number}`;
}

/**
 * Whether the process of a name is alive; names of any other form belong to no process. A process on another machine or
 * in another container cannot be asked: there `isTouched` says whether the thing that it holds was touched lately.
 */
export function isHolderAlive(name: string, isTouched: () => boolean): boolean {
  const [start, pid, host] = parse(name) ?? [];
  if (pid === undefined) return false;
  if (host !== hostName()) return isTouched();
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return false;
  }
  return start === startOf(Number(pid));
}

/**
 * Touches the held path at intervals, so that others see that its owner is alive. Call the returned function to stop.
 */
export function keepTouched(path: string, everyMs: number, now: () => number = Date.now): () => void {
  const touch = (): void => {
    try {
      utimesSync(path, now() / 1000, now() / 1000);
    } catch (error) {
      // Another process removed it.
      if (errnoOf(error) === undefined) throw error;
    }
  };
  const timer = setInterval(touch, everyMs).unref();
  return () => clearInterval(timer);
}

/** When the process of a name started, in ms since the epoch; undefined where that is unknown. */
export function holderStart(name: string): number | undefined {
  const [start, , host] = parse(name) ?? [];
  if (start === undefined || start === "" || host !== hostName()) return undefined;
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1];
    return boot === undefined ? undefined : Number(boot) * 1000 + (Number(start) / TICKS) * 1000;
  } catch {
    return undefined;
  }
}

function parse(name: string): [start: string, pid: string, host: string] | undefined {
  const match = /^(\d+)-(\d*)-(.+?)(?:\.\d+)?$/.exec(name);
  return match === null ? undefined : [match[2] as string, match[1] as string, match[3] as string];
}

/** Whether a process of this machine was stopped (Ctrl-Z, SIGSTOP): it is alive, and may be so for ever. */
export function isHolderStopped(name: string): boolean {
  const [start, pid, host] = parse(name) ?? [];
  if (pid === undefined || host !== hostName()) return false;
  const [state, begun] = statOf(Number(pid));
  return state === "T" && begun === start;
}

/** Empty if there is no such process, and for one that has ended but was not reaped yet. */
function startOf(pid: number): string {
  const [state = "", start = ""] = statOf(pid);
  return /^[ZXx]$/.test(state) ? "" : start;
}

/** Fields 3 and 22 of /proc/PID/stat. */
function statOf(pid: number): readonly [state: string, start: string] | readonly [] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [fields[0] ?? "", fields[19] ?? ""];
  } catch {
    return [];
  }
}
