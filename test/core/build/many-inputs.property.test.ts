/**
 * Actions with so many inputs that these are looked at, verified and laid out all at once: whatever happens to files and
 * to the store, a build reads what is there. 10 histories in every run, more by ARC_PROPERTIES.
 */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Digest } from "../../../core/build/model/action.ts";
import { cases } from "../../cases.ts";
import { loadedWith, WAYS } from "./ways.ts";

/** More than one look, one check of blobs and one request had room for. */
const FILES = 150;

/** A time that an edit can give back to a file. */
const OLD = 1_000_000_000;

const names = Array.from({ length: FILES }, (_, at) => `in/d${at % 7}/f${at}`);

const happening = fc.record({
  kind: fc.constantFrom(
    "edit",
    "edit in secret",
    "executable",
    "replace",
    "link",
    "remove",
    "flip the blob",
    "lose the blob",
    "lengthen the blob",
    "a folder for the blob",
    "restart",
    "lose the state",
  ),
  file: fc.nat(FILES - 1),
});

const histories = fc.array(fc.array(happening, { maxLength: 3 }), { minLength: 2, maxLength: 6 });

describe.each(WAYS)("many inputs, %s", async (way) => {
  const { Workshop, shell } = await loadedWith(way, () => import("./workshop.ts"));
  const { digestBytes } = await import("../../../core/build/key/digest.ts");

  const actionOf = (present: readonly string[]) =>
    shell("all", "cat in/d?/* > o", Object.fromEntries(present.map((name) => [name, name])), ["o"], {
      deterministic: true,
    });

  type Shop = InstanceType<typeof Workshop>;

  async function happen(shop: Shop, kind: string, name: string, count: number): Promise<void> {
    const path = shop.path(name);
    const digest: Digest = digestBytes(readFileSync(path));
    const blob = join(shop.store, "cas", digest.slice(0, 2), digest);
    const writable = (change: () => void): void => {
      if (statSync(blob, { throwIfNoEntry: false })?.isFile() !== true) return;
      chmodSync(blob, 0o755);
      change();
      chmodSync(blob, 0o555);
    };
    if (kind === "edit") appendFileSync(path, `${count}\n`);
    else if (kind === "edit in secret") {
      const { size } = statSync(path);
      writeFileSync(path, `${count}`.padEnd(size, "x").slice(0, size));
      utimesSync(path, OLD, OLD);
    } else if (kind === "executable") chmodSync(path, statSync(path).mode ^ 0o111);
    else if (kind === "replace") {
      writeFileSync(`${path}.new`, `replaced ${count}\n`);
      renameSync(`${path}.new`, path);
    } else if (kind === "link") {
      const target = shop.path(`elsewhere${count}`);
      writeFileSync(target, `linked ${count}\n`);
      rmSync(path);
      symlinkSync(target, path);
    } else if (kind === "flip the blob") writable(() => writeFileSync(blob, "X".repeat(statSync(blob).size)));
    else if (kind === "lengthen the blob") writable(() => appendFileSync(blob, "more"));
    else if (kind === "lose the blob") rmSync(blob, { force: true, recursive: true });
    else if (kind === "a folder for the blob") {
      rmSync(blob, { force: true, recursive: true });
      mkdirSync(blob, { recursive: true });
    } else if (kind === "lose the state") {
      await shop.restart();
      rmSync(shop.path(".arc"), { recursive: true, force: true });
    }
    // What was verified by this process is not read again.
    if (kind === "restart" || kind.endsWith("the blob")) await shop.restart();
  }

  test("a build reads what is there, whatever happened to files and store", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const shop = new Workshop();
        let count = 0;
        const present = new Set(names);
        for (const name of names) {
          shop.write(name, `${name}\n`);
          utimesSync(shop.path(name), OLD, OLD);
        }
        for (const happenings of history) {
          for (const { kind, file } of happenings) {
            const name = names[file] as string;
            count += 1;
            if (!present.has(name)) {
              shop.write(name, `again ${count}\n`);
              present.add(name);
            } else if (kind === "remove") {
              rmSync(shop.path(name));
              present.delete(name);
            } else await happen(shop, kind, name, count);
          }
          const here = names.filter((name) => present.has(name));
          const resumed = await shop.again();
          if (resumed === "graph may have changed" || happenings.length > 0 || typeof resumed !== "string")
            expect((await shop.build([actionOf(here)])).ok).toBe(true);
          const inOrder = [...here].sort();
          expect(shop.read("out/o")).toBe(inOrder.map((name) => shop.read(name)).join(""));
        }
        shop.close();
      }),
      cases(10),
    );
  });

  test("an action that writes to one of them fails, and the others are as they were", async () => {
    const shop = new Workshop();
    for (const name of names) shop.write(name, `${name}\n`);
    const inputs = Object.fromEntries(names.map((name) => [name, name]));
    const spoil = shell("spoil", "chmod +w in/d3/f3; echo more >> in/d3/f3; echo > s", inputs, ["s"]);
    const built = await shop.build([spoil]);
    expect(built.of("failed").map(({ message }) => message)).toEqual([
      expect.stringContaining("wrote to one of its inputs"),
    ]);
    expect((await shop.build([actionOf(names)])).ok).toBe(true);
    expect(shop.read("out/o")).toBe(
      [...names]
        .sort()
        .map((name) => `${name}\n`)
        .join(""),
    );
  });
});
