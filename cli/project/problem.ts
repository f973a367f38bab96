/** Describes an error that ended a command to the user. */

import { isReplaced, REPLACED } from "../../core/build/files/self-update.ts";
import { EngineError } from "../../core/build/model/error.ts";
import { errnoOf, systemProblem } from "../../core/build/model/system-error.ts";
import { status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

interface Problem {
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
  const problem = systemProblem(error);
  if (problem !== undefined) {
    const code = errnoOf(error) as string;
    return { code, ...problem, status: isPermission(code) ? status.wrongCall : status.failed };
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
