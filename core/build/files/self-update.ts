/**
 * Detects that arc's own files were replaced while it runs. Its modules lie in a folder named after their build
 * (build.mjs). After an update, modules that are not loaded yet are gone, and those of another build are never loaded
 * in their place.
 */
import { errnoOf } from "../model/system-error.ts";

export const REPLACED = {
  message: "arc itself was built or installed anew while it ran",
  remedy: "start it again",
};

export function isReplaced(error: unknown): boolean {
  const code = errnoOf(error);
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ENOENT") return false;
  return /\/modules-[0-9a-f]{64}\//.test((error as Error).message);
}
