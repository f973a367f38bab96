/** Who holds something on disk: a process, told from later ones with the same number. */
import { readFileSync, readlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { errnoOf } from "../model/error.ts";

/** Of the clock in /proc, per second: the same on all of Linux. */
const TICKS = 100;

/** `PID-START-HOST` of this process; START is its start in the kernel's ticks. */
export function holderName(): string {
  return `${process.pid}-${startOf(process.pid)}-${hostName()}`;
}

/** Containers may share a host's name, and process numbers mean nothing outside their name space. */
function hostName(): string {
  try {
    return `${hostname()}~${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    return hostname();
  }
}

export function describeHolder(name: string): string {
  const [, pid, host] = parse(name) ?? ["", "?", "?"];
  return `process ${pid} on ${host}`;
}

/** A name for something that this process holds several of. */
export function holdingName(number: number): string {
  return `${holderName()}.${number}`;
}

/**
 * Other names are nobody's. Processes of another machine, or in another container, cannot be asked: `isTouched` says
 * whether what such a one holds was touched lately.
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

/** Touches what this process holds, so that others see that it lives, until the returned function is called. */
export function keepTouched(path: string, everyMs: number, now: () => number = Date.now): () => void {
  const touch = (): void => {
    try {
      utimesSync(path, now() / 1000, now() / 1000);
    } catch (error) {
      // Somebody removed it.
      if (errnoOf(error) === undefined) throw error;
    }
  };
  const timer = setInterval(touch, everyMs).unref();
  return () => clearInterval(timer);
}

/** When the process of a name started, in ms; undefined where that cannot be told. */
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

/**
 * Field 22 of /proc/PID/stat; empty where there is no such file, and of a process that has ended, though its parent has
 * not asked how yet.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZXx]$/.test(fields[0] ?? "") ? "" : (fields[19] ?? "");
  } catch {
    return "";
  }
}
