/** Describes an error that ended a command to the user. */

import { isReplaced, REPLACED } from "../../core/build/files/self-update.ts";
import { EngineError } from "../../core/build/model/error.ts";
import { status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  readonly status: number;
}

export function describeProblem(error: unknown): Problem {
  if (error instanceof UsageError) {
    return { code: "usage", message: error.message, ...remedyOf(error.remedy), status: status.wrongCall };
  }
  if (error instanceof EngineError) {
    return { code: error.code, message: error.message, remedy: error.remedy, status: status.wrongCall };
  }
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && /^E[A-Z]+$/.test(code)) {
    return {
      code,
      message: (error as Error).message,
      ...remedyOf(systemRemedy(code)),
      status: isPermission(code) ? status.wrongCall : status.failed,
    };
  }
  if (isReplaced(error)) return { code: "replaced", ...REPLACED, status: status.failed };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: "internal",
    message: `this is a mistake in arc, not in your project:\n${text}`,
    remedy: "report it with the lines above",
    status: status.failed,
  };
}

const remedyOf = (remedy: string | undefined): { remedy?: string } =>
  remedy === undefined ? {} : { remedy };

const isPermission = (code: string): boolean => ["EACCES", "EPERM", "EROFS"].includes(code);

function systemRemedy(code: string): string | undefined {
  if (code === "ENOSPC" || code === "EDQUOT") return "free some space, or `arc cache prune`";
  if (isPermission(code))
    return "make it writable: arc writes `.arc` and `out` in the project, and the store (`--store`)";
  if (code === "EMFILE") return "raise the limit of open files (`ulimit -n`), or lower `-j`";
  if (code === "EIO") return "look at the disk (`dmesg` says more), or choose another store with `--store`";
  return undefined;
}
