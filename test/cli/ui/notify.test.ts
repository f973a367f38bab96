/** Notifications at the end of a build, with a notify-send that records them. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import type { Call } from "../../../cli/call/call.ts";
import { notice, notifying } from "../../../cli/ui/notify.ts";
import type { BuildResult } from "../../../core/build/graph/build-result.ts";

const counts = { ran: 1, cached: 0, remote: 0, upToDate: 0, failed: 0, skipped: 0 };
const done = { ok: true, interrupted: false, counts } as Partial<BuildResult> as BuildResult;
const failed = { ...done, ok: false, counts: { ...counts, failed: 2 } };

it("a build is announced if it took a minute and was not interrupted", () => {
  expect(notice("p", 59, done)).toBeUndefined();
  expect(notice("p", 100, { ...done, interrupted: true })).toBeUndefined();
  expect(notice("p", 90, done)).toBe("p is built, after 90 s");
  expect(notice("p", 600, failed)).toBe("p failed: 2 actions, after 10 min");
});

it.each([
  [0, true, ""],
  [1, true, "\u001b]9;p is built, after 90 s\u0007\u0007"],
  [1, false, "arc: p is built, after 90 s\n"],
])(
  "by the desktop, else by the terminal (notify-send ends with %i, terminal: %s)",
  async (status, interactive, said) => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-notify-"));
    const program = path.join(folder, "notify-send");
    writeFileSync(program, `#!/bin/sh\necho "$@" > ${folder}/told\nexit ${status}\n`);
    chmodSync(program, 0o755);
    let written = "";
    let time = 0;
    const call = {
      env: { PATH: `${folder}:${process.env.PATH}` },
      interactive,
      err: (text: string) => {
        written += text;
      },
    } as Partial<Call> as Call;
    const seen: string[] = [];
    const view = { onEvent() {}, finish: async () => void seen.push("finish"), abandon() {} };
    const ui = notifying(view, call, "p", () => time);
    time = 90_000;
    await ui.finish(done);
    expect({ seen, written }).toEqual({ seen: ["finish"], written: said });
    expect(existsSync(path.join(folder, "told"))).toBe(true);
    expect(readFileSync(path.join(folder, "told"), "utf8")).toBe(
      "--app-name=arc arc p is built, after 90 s\n",
    );
  },
);
