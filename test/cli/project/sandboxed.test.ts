import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Call } from "../../../cli/call/call.ts";
import { sandboxed } from "../../../cli/project/sandboxed.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-bwrap-"));
afterAll(() => rmSync(folder, { recursive: true }));

const call = (options: Call["options"], PATH: string) => ({ options, env: { PATH } }) as unknown as Call;

function bubblewrap(script: string): string {
  writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "bwrap"), 0o755);
  return folder;
}

test("a build that is to be confined and cannot be is refused, never run free", () => {
  expect(() => sandboxed(call({ sandbox: true }, "/nonexistent"))).toThrow(
    "needs bubblewrap, which is not here",
  );
  const broken = bubblewrap("echo no permissions >&2; exit 1");
  expect(() => sandboxed(call({ sandbox: true }, broken))).toThrow(
    /cannot confine processes here: no permissions/,
  );
  const options = { sandbox: true, "trace-inputs": true } as const;
  expect(() => sandboxed(call(options, broken))).toThrow("exclude each other");
  expect(sandboxed(call({ sandbox: true }, bubblewrap("exit 0")))).toEqual({ bwrap: join(folder, "bwrap") });
  expect(sandboxed(call({}, "/nonexistent"))).toEqual({});
});
