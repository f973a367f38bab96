/** The native part's threads and errands under the sanitizers. With ARC_SLOW_TESTS for races, too. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "arc-sanitized-"));
const native = join(import.meta.dirname, "../../../../core/build/native");
const sources = ["child.c", "errands.c", "strays.c", "signals.c", "fault.c"].map((file) =>
  join(native, file),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sanitizers = ["address,undefined", ...(process.env.ARC_SLOW_TESTS !== undefined ? ["thread"] : [])];

test.for(sanitizers)(
  "the sanitizers (%s) report nothing for hundreds of children in a few sandboxes",
  (which, { skip }) => {
    const program = join(folder, which);
    const flags = ["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"];
    const driver = join(import.meta.dirname, "driver.c");
    const compiled = spawnSync(
      "cc",
      [
        ...flags,
        `-fsanitize=${which}`,
        "-fno-sanitize-recover=all",
        "-o",
        program,
        driver,
        ...sources,
        "-lcrypto",
      ],
      { encoding: "utf8" },
    );
    if (compiled.error !== undefined || /cannot find -l/.test(compiled.stderr))
      skip("no compiler with sanitizers and libcrypto");
    expect(compiled.stderr).toBe("");
    const home = join(folder, `home-${which}`);
    for (const name of ["cas", "scratch", "places", "own"]) mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, "source"), "input\n");
    const run = spawnSync(program, [home], { encoding: "utf8" });
    expect([run.status, run.stdout, run.stderr]).toEqual([0, "ok\n", ""]);
  },
);
