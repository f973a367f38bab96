/** The code whose lines and branches are counted, and how it counts them. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Finds what coverage.sh installed. */
export const tool = createRequire(
  path.resolve(import.meta.dirname, "../../../node_modules/.coverage/package.json"),
);
const { createInstrumenter } = tool("istanbul-lib-instrument");

const top = ["core", "rules", "targets"];

export function isCounted(file) {
  return top.includes(file.split("/")[0]) && file.endsWith(".ts") && !file.endsWith(".d.ts");
}

/** Names of the counted files, from the root of the checkout. */
export function countedFiles(root) {
  return top.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter(isCounted)
      .sort(),
  );
}

/**
 * The code of a file with counters, Istanbul's description of what they count, with no counts, and the digest of the
 * description, by which the counts of a file that has changed since are known.
 */
export function counting(root, file) {
  const instrumenter = createInstrumenter({ esModules: true, parserPlugins: ["typescript"], compact: false });
  const code = instrumenter.instrumentSync(readFileSync(path.join(root, file), "utf8"), file);
  return { code, coverage: instrumenter.lastFileCoverage(), digest: code.match(/var hash = "(\w+)"/)?.[1] };
}
