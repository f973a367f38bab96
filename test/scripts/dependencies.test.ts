/** What `npm ci` installs is pinned by its bytes, under licences that go with arc's own, and what arc ships runs no scripts. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const file = path.resolve(import.meta.dirname, "../../package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");

const licences =
  /^(MIT|Apache-2\.0|ISC|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|MPL-2\.0|MIT OR Apache-2\.0|\(MIT OR CC0-1\.0\))$/;

const named = (wrong: (one: Locked) => boolean): string[] =>
  packages.filter(([, one]) => wrong(one)).map(([name]) => name);

test("every package has its digest, and comes from npm's registry", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(named(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
  expect(
    named(
      (one) => !(one.resolved ?? "https://registry.npmjs.org/").startsWith("https://registry.npmjs.org/"),
    ),
  ).toEqual([]);
});

test("every licence is one of those that are known to go with arc's", () =>
  expect(named(({ license }) => !licences.test(license ?? "none"))).toEqual([]));

test("what arc ships runs no script when it is installed", () =>
  expect(named(({ dev, hasInstallScript }) => !dev && hasInstallScript === true)).toEqual([]));
