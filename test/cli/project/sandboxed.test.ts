import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Call } from "../../../cli/call/call.ts";
import { bubblewrap, sandboxed } from "../../../cli/project/sandboxed.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-bwrap-"));
afterAll(() => rmSync(folder, { recursive: true }));

const call = (options: Call["options"], PATH: string) => ({ options, env: { PATH } }) as unknown as Call;

function bwrapThat(script: string): string {
  writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "bwrap"), 0o755);
  return folder;
}

test("a build that is to be confined and cannot be is refused, never run free", () => {
  expect(() => sandboxed(call({ sandbox: true }, "/nonexistent"))).toThrow(
    "needs bubblewrap, which is not here",
  );
  const broken = bwrapThat("echo no permissions >&2; exit 1");
  expect(() => sandboxed(call({ sandbox: true }, broken))).toThrow(
    /cannot confine processes here: no permissions/,
  );
  const options = { sandbox: true, "trace-inputs": true } as const;
  expect(() => sandboxed(call(options, broken))).toThrow("exclude each other");
  expect(sandboxed(call({ sandbox: true }, bwrapThat("exit 0")))).toEqual({ bwrap: join(folder, "bwrap") });
  expect(sandboxed(call({}, "/nonexistent"))).toEqual({});
});

test("doctor tells a bubblewrap that is missing from one that does not work", () => {
  expect(bubblewrap({ PATH: "/nonexistent" })).toMatchObject({ isBroken: false });
  expect(bubblewrap({ PATH: bwrapThat("echo no >&2; exit 1") })).toMatchObject({
    isBroken: true,
    problem: expect.stringContaining("no"),
  });
  expect(bubblewrap({ PATH: bwrapThat("exit 0") })).toHaveProperty("bwrap");
});
