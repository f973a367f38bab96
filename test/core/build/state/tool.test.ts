/** The identity of a tool: its version output and its bytes, cached as long as both stay the same. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ToolIdentity } from "../../../../core/build/model/action.ts";
import { Workshop } from "../workshop.ts";

const script = (version: string): string => `#!/bin/sh\necho tool ${version}\n`;

test("a link on PATH that leads to another program is another tool", () => {
  const shop = new Workshop();
  const bin = shop.path("bin");
  mkdirSync(bin);
  for (const version of ["1.0", "2.0"])
    writeFileSync(`${bin}/tool-${version}`, script(version), { mode: 0o755 });
  shop.restart({ environment: { PATH: `${bin}:${process.env.PATH}` } });
  const lead = (to: string): ToolIdentity => {
    rmSync(`${bin}/tool`, { force: true });
    symlinkSync(to, `${bin}/tool`);
    return shop.engine.identifyTool({ program: "tool", versionArgs: ["--version"] });
  };
  const first = lead("tool-1.0");
  const second = lead("tool-2.0");
  expect([first.version, second.version]).toEqual(["tool 1.0", "tool 2.0"]);
  expect(second.digest).not.toBe(first.digest);
  expect(lead("tool-1.0")).toEqual(first);
});
