/** Every program of bad/ is refused with the diagnostics in its comments, and leaves no output. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { mistakesIn } from "./catalogue.ts";
import { notYetDiagnosed } from "./pending.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-bad-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** `LINE:COL: severity[code]` of each diagnostic, notes left out. */
function diagnosticsIn(text: string): string[] {
  return [...text.matchAll(/^\S+?:(\d+:\d+: (?:error|warning)\[[\w-]+\])/gm)].map((match) => match[1] ?? "");
}

describe("a mistake is reported with its place, code and remedy", () => {
  for (const { name, shows, source, expected, remedy } of mistakesIn(path.join(import.meta.dirname, "bad"))) {
    const settings = { concurrent: true, fails: notYetDiagnosed.includes(name) };
    it(`${name}: ${shows}`, settings, async () => {
      const object = path.join(folder, `${name}.o`);
      const args = ["cc", "-acc", "-target", "host", "-c", source, "-o", object];
      const { status, err } = await start(arcProgram, args, {
        env: { ARC_STORE: path.join(folder, "store") },
      });
      const found = diagnosticsIn(err);
      expect(found.slice(0, expected.length), err).toEqual(expected);
      if (remedy !== undefined) expect(err.match(/^ *try: (.*)$/m)?.[1] ?? "").toContain(remedy);
      const refused = expected.some((diagnostic) => diagnostic.includes(" error["));
      expect(status).toBe(refused ? 1 : 0);
      expect(existsSync(object)).toBe(!refused);
    });
  }
});
