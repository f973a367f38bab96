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

/** Names of the counted files, from the root of the checkout. */
export function countedFiles(root) {
  return top.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .map((file) => path.join(folder, file))
      .sort(),
  );
}

/** The code of a file with counters, and Istanbul's description of what they count, with no counts. */
export function counting(root, file) {
  const instrumenter = createInstrumenter({ esModules: true, parserPlugins: ["typescript"], compact: false });
  const code = instrumenter.instrumentSync(readFileSync(path.join(root, file), "utf8"), file);
  return { code, coverage: instrumenter.lastFileCoverage() };
}
