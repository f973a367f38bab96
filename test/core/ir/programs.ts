/** The programs of test/programs/acc as units. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");
const folder = path.join(root, "test/programs/acc");

/** Every source of test/programs/acc, relative to it. */
export const sources: readonly string[] = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".c"))
  .sort();

/** A source after `cc -E -dD`, as `arc` sees it. */
export function preprocessed(name: string, from = folder): string {
  return execFileSync(
    "gcc",
    [
      "-E",
      "-dD",
      "-w",
      "-D_OPENACC=202211",
      "-I",
      path.join(root, "targets/runtime/include"),
      path.join(from, name),
    ],
    { encoding: "utf8", maxBuffer: 1 << 28 },
  );
}
