/** For tests of what the engine does with its native part and without it: modules that were loaded either way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";
import { compileNative } from "../../../core/build/native/compile.mjs";

export const WAYS = ["native", "portable"] as const;
type Way = (typeof WAYS)[number];

const folder = mkdtempSync(join(tmpdir(), "arc-native-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const library: string = join(folder, "native.node");
/** Why there is no native part here; undefined: there is one. */
export const noLibrary: string | undefined = compileNative(library);

/** To be called while tests are collected. */
export async function loadedWith<T>(way: Way, load: () => Promise<T>): Promise<T> {
  const before = process.env.ARC_NATIVE;
  vi.resetModules();
  process.env.ARC_NATIVE = way === "native" ? library : "0";
  try {
    return await load();
  } finally {
    if (before === undefined) delete process.env.ARC_NATIVE;
    else process.env.ARC_NATIVE = before;
  }
}
