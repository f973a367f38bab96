/** Errors of system calls: which call on which file failed, the reason, and what to do about it. */
import { readFileSync, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";

type SystemError = NodeJS.ErrnoException & { readonly dest?: string };

/** The errno name (`ENOENT`) of an error of a system call. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  const { code, errno } = error as SystemError;
  // Node has no names for some errors of this system, such as EDQUOT.
  const isNamed = code === undefined || errno === undefined || /^E[A-Z0-9]+$/.test(code);
  return isNamed ? code : (nameOf(-errno) ?? code);
}

function nameOf(errno: number): string | undefined {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
}

/** Makes calls on one file. Their errors then name it, which those of calls on a descriptor do not. */
export function onFile<T>(path: string, calls: () => T): T {
  try {
    return calls();
  } catch (error) {
    nameFile(path, error);
    throw error;
  }
}

/** Adds the file's name to the error of a call that had none. */
export function nameFile(path: string, error: unknown): void {
  if (errnoOf(error) === undefined) return;
  const failed = error as SystemError;
  if (failed.syscall === undefined || failed.path !== undefined) return;
  failed.path = path;
  failed.message += ` '${path}'`;
}

/** The disk does not give back what it was given. */
export function isLossOfData(error: unknown): boolean {
  return ["EIO", "EBADMSG", "EUCLEAN", "ENODATA", "EREMOTEIO"].includes(errnoOf(error) ?? "");
}

interface SystemProblem {
  readonly message: string;
  readonly remedy: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left",
  EDQUOT: "your disk quota is used up",
};

const writable = "make it writable: arc writes `.arc` and `out` in the project, and the store (`--store`)";

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "free some space, or `arc cache prune`",
  EDQUOT: "free some space, or `arc cache prune`",
  EACCES: writable,
  EPERM: writable,
  EROFS: writable,
  EMFILE: "raise the limit of open files (`ulimit -n`), or lower `-j`",
  ENFILE: "raise the system's limit of open files (`sysctl fs.file-max`), or lower `-j`",
  ENOMEM: "free some memory, or lower `-j`",
  EAGAIN: "raise the limit of processes (`ulimit -u`), or lower `-j`",
  EFBIG: "raise the limit of a file's size (`ulimit -f`)",
  EIO: "look at the disk (`dmesg` says more), or choose another store with `--store`",
  ENAMETOOLONG: "shorten the name",
  ESTALE: "build again: the file server no longer knows the file",
  ENOENT: "build again: something removed it meanwhile",
  ELOOP: "remove the link that leads back to itself",
};

/** Undefined for errors of another kind. */
export function systemProblem(error: unknown): SystemProblem | undefined {
  const code = errnoOf(error);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  const { message, syscall, path, dest } = error as SystemError;
  const reason = reasons[code];
  const files = [path, dest].filter((name) => name !== undefined).map((name) => ` '${name}'`);
  return {
    message:
      reason === undefined ? message : `${code}: ${reason}, ${syscall ?? "a call"}${files.join(" ->")}`,
    remedy: ownerRemedy(code, path) ?? remedies[code] ?? "look what lies there, and build again",
  };
}

/** What to do about a path that may not be written because it, or the folder that it would be in, is another user's. */
function ownerRemedy(code: string, path: string | undefined): string | undefined {
  if ((code !== "EACCES" && code !== "EPERM") || path === undefined) return undefined;
  const user = process.getuid?.();
  for (let at = path; ; at = dirname(at)) {
    const owner = ownerOf(at);
    if (owner !== undefined && owner !== user && owner !== 0)
      return `${at} belongs to ${nameOfUser(owner)}, and you are ${nameOfUser(user ?? 0)}: each of you builds in a checkout of your own, or all with \`umask 002\` after \`chgrp -R GROUP\` and \`chmod -R g+rwXs\` of the project's folder`;
    if (owner !== undefined || at === dirname(at)) return undefined;
  }
}

/** Undefined if nothing is there, or it may not be looked at. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function nameOfUser(id: number): string {
  try {
    const line = readFileSync("/etc/passwd", "utf8").match(new RegExp(`^([^:\\n]+):[^:\\n]*:${id}:`, "m"));
    return line === null ? `user ${id}` : `${line[1]}`;
  } catch {
    return `user ${id}`;
  }
}
