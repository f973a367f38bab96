/**
 * Of a program whose own files were replaced while it ran. Its modules lie in a folder named for the build that they
 * are of (build.mjs), so that what it has not loaded yet is gone, and nothing of another build is loaded in its place.
 */
import { errnoOf } from "../model/error.ts";

export const REPLACED = {
  message: "arc itself was built or installed anew while it ran",
  remedy: "start it again",
};

export function isReplaced(error: unknown): boolean {
  const code = errnoOf(error);
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ENOENT") return false;
  return /\/modules-[0-9a-f]{64}\//.test((error as Error).message);
}
