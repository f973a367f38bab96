/** The effect of a signal while JavaScript computes and cannot react. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compileNative } from "../../../../core/build/native/compile.mjs";

const folder = mkdtempSync(join(tmpdir(), "arc-signals-"));
const library = join(folder, "native.node");
const lacks = compileNative(library);

afterAll(() => rmSync(folder, { recursive: true }));

/** Where a process with a handler of SIGTERM is when it gets that, and how it ends. */
const lives: Record<string, readonly [body: string, ended: number]> = {
  "computes for ever": ["for (;;);", 130],
  "hears of it, and computes for ever then": [
    "onTerm = () => { heard(); for (;;); }; setInterval(() => {}, 100);",
    130,
  ],
  "hears of it, and ends in its own time": [
    "onTerm = () => { setInterval(heard, 500); heard(); setTimeout(() => process.exit(7), 2600); }; setInterval(() => {}, 100);",
    7,
  ],
};

test.skipIf(lacks !== undefined).concurrent.for(Object.entries(lives))(
  "a process that %s",
  { timeout: 30_000 },
  async ([, [body, ended]]) => {
    const script = `
      const library = { exports: {} };
      process.dlopen(library, ${JSON.stringify(library)});
      const heard = () => library.exports.heardSignal();
      let onTerm = heard;
      process.on("SIGTERM", () => onTerm());
      library.exports.watchSignals();
      process.stdout.write("ready");
      setTimeout(() => { ${body} }, 0);`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await new Promise((done) => setTimeout(done, 100));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([ended, null]);
  },
);
