/** Every option that names a file to be written, with every place where none can be: refused before anything is done. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type CommandName, commands } from "../../../cli/call/commands.ts";
import { checkWrittenFiles } from "../../../cli/call/written-files.ts";
import { Rig } from "../rig.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-written-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "taken"));
mkdirSync(path.join(folder, "closed"));
writeFileSync(path.join(folder, "file"), "");
chmodSync(path.join(folder, "closed"), 0o500);

/** Root may write anywhere. */
const isRoot = process.getuid?.() === 0;
const places: readonly (readonly [string, string])[] = [
  ["none/x", "there is no folder"],
  ["taken", "that is a folder"],
  ["file/x", "is no folder"],
  ...(isRoot ? [] : [["closed/x", "nothing may be written in"] as const]),
];
const writing = commands.flatMap(({ name, options }) =>
  options.flatMap((option) => ("writes" in option ? [[name, option.name] as const] : [])),
);
const check = (command: CommandName, option: string, value: string): void =>
  checkWrittenFiles({ command, options: { [option]: value }, positionals: [] }, folder);

describe.each(writing)("arc %s --%s", (command, option) => {
  it.each(places)("%s is refused", (place, why) => {
    expect(() => check(command, option, place)).toThrow(`--${option} ${place}: `);
    expect(() => check(command, option, place)).toThrow(why);
  });

  it("takes a file that is new, one that is there, and what a shell hands over", () => {
    for (const place of ["new", "taken/new", "file", "/dev/stdout", "/dev/null"])
      check(command, option, place);
  });
});

it("says of each option for a FILE whether it is written", () => {
  const read = commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      "value" in option && option.value === "FILE" && !("writes" in option)
        ? [`${name} --${option.name}`]
        : [],
    ),
  );
  expect(read).toEqual(["init --from"]);
  expect(writing.length).toBeGreaterThan(6);
});

it("runs nothing for a file that cannot be written", async () => {
  const rig = new Rig(
    {
      "arc.yaml": "arc: 1\nproject: p\nactions: { a: { run: [sh, -c, 'echo > o'], outputs: [o] } }\n",
    },
    "shared",
  );
  const { status, err } = await rig.arc(["build", "--sarif", "none/x.sarif"]);
  expect(status).toBe(2);
  expect(err).toMatch(
    /^arc: --sarif none\/x\.sarif: there is no folder .*none\n {2}try: make it, or name another file\n$/,
  );
});
