/** Hits that are run again: a difference is reported, and the hit is used. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Action } from "../../../core/build/model/action.ts";
import { type Built, shell, Workshop } from "./workshop.ts";

const outsideFile = (shop: Workshop): string => join(shop.directory, "outside");

/** What an action makes of a file that it does not declare. */
const kinds: Record<string, (outside: string) => Action> = {
  text: (outside) => shell("act", `echo same > o; cat ${outside} >> o`, {}, ["o"]),
  bytes: (outside) => shell("act", `printf 'a\\000' > o; cat ${outside} >> o`, {}, ["o"]),
  folder: (outside) =>
    shell("act", `rmdir d; mkdir d; echo same > d/same; cat ${outside} > d/other`, {}, [], {
      outputs: [{ name: "d", kind: "folder", place: "out/d" }],
    }),
  failure: (outside) => shell("act", `echo same > o; grep -q before ${outside}`, {}, ["o"]),
};

const words: Record<keyof typeof kinds, RegExp> = {
  text: /o: line 2 is "after", and was "before"/,
  bytes: /o: byte 2 is the first that differs, of 9 before and 8 now/,
  folder: /other outputs\n {2}d: other;/,
  failure: /run again it failed: sh exited with 1/,
};

const warnings = (built: Built): string =>
  built
    .of("warning")
    .map(({ message }) => message)
    .join("\n");

const twice = async (action: (outside: string) => Action, changes: boolean, more: Partial<Action> = {}) => {
  const shop = new Workshop();
  writeFileSync(outsideFile(shop), "before\n");
  const graph = [{ ...action(outsideFile(shop)), ...more }];
  expect((await shop.build(graph)).ok).toBe(true);
  if (changes) writeFileSync(outsideFile(shop), "after\n");
  rmSync(shop.path("out"), { recursive: true, force: true });
  return { shop, built: await shop.build(graph, { checkHits: 1 }) };
};

for (const [kind, action] of Object.entries(kinds)) {
  test(`a hit of a nondeterministic action with ${kind} is used, and the difference is reported`, async () => {
    const { shop, built } = await twice(action, true);
    expect(warnings(built)).toMatch(/^act is not deterministic, or the store's result is not what it makes/);
    expect(warnings(built)).toMatch(words[kind] as RegExp);
    expect([built.ok, built.counts.cached, built.counts.ran]).toEqual([true, 1, 0]);
    const file = kind === "folder" ? "out/d/other" : "out/o";
    if (kind !== "failure") expect(shop.read(file)).toContain("before");
  });

  test(`nothing is reported of an action with ${kind} that reproduces its hit`, async () => {
    const { built } = await twice(action, false);
    expect([warnings(built), built.ok, built.counts.cached, built.ran]).toEqual(["", true, 1, ["act"]]);
  });
}

test("hits of actions declared nondeterministic are not checked, and without a share none are", async () => {
  const text = kinds.text as (outside: string) => Action;
  expect((await twice(text, true, { deterministic: false })).built.ran).toEqual([]);
  const { shop } = await twice(text, false);
  rmSync(shop.path("out"), { recursive: true });
  expect((await shop.build([text(outsideFile(shop))])).ran).toEqual([]);
});

/** What an action makes of a file that it does not declare, and what is said of the difference. */
const rarer: readonly (readonly [string, string, Action["outputs"][number], RegExp])[] = [
  [
    "an output that is left out",
    "if grep -q before FILE; then echo > o; fi",
    { name: "o", kind: "file", place: "out/o", optional: true },
    /o: it was made before, and is left out now;/,
  ],
  [
    "an output that was left out",
    "grep -q before FILE || echo > o",
    { name: "o", kind: "file", place: "out/o", optional: true },
    /o: it was left out before, and is made now;/,
  ],
  [
    "an output that is no program any more",
    "echo same > o; if grep -q before FILE; then chmod +x o; fi",
    { name: "o", kind: "file", place: "out/o", executable: "as-written" },
    /o: the right to execute it;/,
  ],
  [
    "a folder of many other files",
    "cd d; if grep -q before FILE; then mkdir gone; else mkdir n1 n2 n3 n4 n5 n6 n7 n8; fi",
    { name: "d", kind: "folder", place: "out/d" },
    /d: gone \(gone\), n1 \(new\), .*, n7 \(new\) and 1 more;/,
  ],
  [
    "a long line without an end",
    `printf '%200s' "$(cat FILE)" > o`,
    { name: "o", kind: "file", place: "out/o" },
    /o: line 1 is " {120}…", and was " {120}…" /,
  ],
];

test.each(rarer)("of %s, what differs is said", async (_, script, output, report) => {
  const action = (outside: string) =>
    shell("act", `echo > always; ${script.replace("FILE", outside)}`, {}, [], {
      outputs: [{ name: "always", kind: "file", place: "out/always" }, output],
    });
  expect(warnings((await twice(action, true)).built)).toMatch(report);
  expect(warnings((await twice(action, false)).built)).toBe("");
});
