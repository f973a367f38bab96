/**
 * `instrument.mjs COPY COUNTS`: makes COPY a copy of the checkout with counters in its code. Every process that runs the
 * code leaves in the folder COUNTS which of them it reached. Files that have not changed since the last time are left.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { counting, isCounted } from "./counted.mjs";

const [copy, counts] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../../..");

/** Writes the statements and branches that were reached; a process that may not write there is not counted. */
const leaving = `
globalThis.arcLeaveCounts ??= (() => {
  const leave = () => {
    const reached = Object.entries(globalThis.__coverage__ ?? {}).map(([file, { hash, s, b }]) => [
      file,
      hash,
      Object.keys(s).filter((id) => s[id] > 0),
      Object.entries(b).map(([id, ways]) => [id, ways.flatMap((n, way) => (n > 0 ? [way] : []))]).filter(([, ways]) => ways.length > 0),
    ]);
    const file = ${JSON.stringify(counts)} + "/" + [process.pid, Date.now(), Math.random()].join("-");
    try {
      const fs = process.getBuiltinModule("node:fs");
      fs.writeFileSync(file, JSON.stringify(reached));
      fs.renameSync(file, file + ".json");
    } catch {}
  };
  process.on("exit", leave);
  return leave;
})();
`;

/** The text of a file in the copy, where it is another. */
function textInCopy(file) {
  if (isCounted(file)) return `${counting(root, file).code}\n${leaving}`;
  // The listener for the end of the process is not in a snapshot of it.
  if (file === "build.mjs")
    return replaced(
      file,
      "asked.without.includes(part)",
      'part === "snapshot" || asked.without.includes(part)',
    );
  // Vitest's projects take no set-up files from what is around them.
  if (file === "vitest.config.ts")
    return replaced(file, "const everyTest = {", 'const everyTest = {\n  setupFiles: ["./leave-counts.ts"],');
  return undefined;
}

function replaced(file, from, to) {
  const text = readFileSync(path.join(root, file), "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  return text.replace(from, to);
}

/** Files of a checkout, those not yet committed as well. */
function filesOf(checkout) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: checkout,
    encoding: "utf8",
  });
  return listed
    .split("\0")
    .filter((file) => file && statSync(path.join(checkout, file), { throwIfNoEntry: false }));
}

// A repository of its own, as tests ask git about the checkout.
execFileSync("git", ["init", "-q"], { cwd: copy });
const files = filesOf(root);
const isUnchanged = (file) =>
  statSync(path.join(copy, file), { throwIfNoEntry: false })?.mtime.getTime() ===
  statSync(path.join(root, file)).mtime.getTime();
// What this file makes of the others is another thing, once it has changed.
const isOwnCopy = isUnchanged("test/nightly/coverage/instrument.mjs");
for (const file of files) {
  const [from, to] = [path.join(root, file), path.join(copy, file)];
  const { mtime } = statSync(from);
  if (isOwnCopy && isUnchanged(file)) continue;
  mkdirSync(path.dirname(to), { recursive: true });
  const text = textInCopy(file);
  cpSync(from, to, { verbatimSymlinks: true });
  if (text !== undefined) writeFileSync(to, text);
  utimesSync(to, mtime, mtime);
}
for (const gone of filesOf(copy).filter((file) => !files.includes(file))) rmSync(path.join(copy, gone));
// Workers of tests may be ended without the event that their process ends. The file `asked` says that tests were counted.
writeFileSync(
  path.join(copy, "leave-counts.ts"),
  `import { writeFileSync } from "node:fs";
import { afterAll } from "vitest";
writeFileSync(${JSON.stringify(`${counts}/asked`)}, "");
afterAll(() => (globalThis as { arcLeaveCounts?: () => void }).arcLeaveCounts?.());
`,
);
