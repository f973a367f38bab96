/**
 * `instrument.mjs CHECKOUT COUNTS`: puts counters into the code of a checkout. Every process that runs the code leaves in
 * the folder COUNTS which of them it reached.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { countedFiles, counting } from "./counted.mjs";

const [checkout, counts] = process.argv.slice(2);

/** Writes the statements and branches that were reached; a process that may not write there is not counted. */
const leaving = `
globalThis.arcLeaveCounts ??= (() => {
  const leave = () => {
    const reached = Object.entries(globalThis.__coverage__ ?? {}).map(([file, { s, b }]) => [
      file,
      Object.keys(s).filter((id) => s[id] > 0),
      Object.entries(b).map(([id, ways]) => [id, ways.flatMap((n, way) => (n > 0 ? [way] : []))]).filter(([, ways]) => ways.length > 0),
    ]);
    const name = [process.pid, Date.now(), Math.random()].join("-");
    try {
      process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(counts)} + "/" + name + ".json", JSON.stringify(reached));
    } catch {}
  };
  process.on("exit", leave);
  return leave;
})();
`;

for (const file of countedFiles(checkout)) {
  const { code } = counting(checkout, file);
  writeFileSync(path.join(checkout, file), `${code}\n${leaving}`);
}

function change(file, from, to) {
  const place = path.join(checkout, file);
  const text = readFileSync(place, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(place, text.replace(from, to));
}

// The listener for the end of the process is not in a snapshot of it.
change("build.mjs", "asked.without.includes(part)", 'part === "snapshot" || asked.without.includes(part)');
// Workers of tests may be ended without that event.
writeFileSync(
  path.join(checkout, "leave-counts.ts"),
  'import { afterAll } from "vitest";\nafterAll(() => (globalThis as { arcLeaveCounts?: () => void }).arcLeaveCounts?.());\n',
);
change("vitest.config.ts", "test: {", 'test: {\n    setupFiles: ["./leave-counts.ts"],');
