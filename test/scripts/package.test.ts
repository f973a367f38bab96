/** The package that `npm run package` makes, installed where there is nothing else: no network, and no scripts of packages at first. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-package-test-"));
const installed = path.join(folder, "node_modules/@arc-compiler/arc");
const env = { ...process.env, ARC_STORE: path.join(folder, "store") };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const npm = (...args: string[]): string =>
  execFileSync("npm", [...args, "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8", env });

let packed = "";
beforeAll(() => {
  packed = execFileSync(process.execPath, [path.join(root, "scripts/package/package.mjs"), folder], {
    encoding: "utf8",
  }).trim();
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
  npm("install", "--offline", "--ignore-scripts", packed);
}, 120_000);

function build(example: string, target: string): void {
  const project = path.join(folder, example);
  cpSync(path.join(root, "examples", example), project, {
    recursive: true,
    filter: (file) => !/\/(out|\.arc)$/.test(file),
  });
  const run = spawnSync(path.join(folder, "node_modules/.bin/arc"), ["verify", target], {
    cwd: project,
    encoding: "utf8",
    env,
  });
  expect(run).toMatchObject({ status: 0 });
  rmSync(project, { recursive: true });
}

describe("the package", () => {
  test("contains nothing specific to the machine it was built on, and no unnecessary files", () => {
    const files = execFileSync("tar", ["tzf", packed], { encoding: "utf8" }).split("\n");
    expect(files.filter((file) => /\.(node|code|snapshot|o|a)$|\/launcher$/.test(file))).toEqual([]);
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
    expect(existsSync(path.join(folder, "node_modules/@yowasp"))).toBe(false);
  });

  test("links to no file that it does not hold", () => {
    const pages = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".md"),
    );
    const dead = pages.flatMap((page) =>
      [...readFileSync(path.join(installed, page), "utf8").matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, link = ""]) => path.join(path.dirname(page), link))
        .filter((link) => !existsSync(path.join(installed, link))),
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(dead).toEqual([]);
  });

  test("builds and verifies an example without native parts", () => {
    expect(existsSync(path.join(installed, "dist/native.node"))).toBe(false);
    build("axpy", "cpu");
  });

  test("has native parts once its script ran, and works with them", () => {
    execFileSync(process.execPath, ["postinstall.mjs"], { cwd: installed });
    for (const file of ["native.node", "launcher"])
      expect(existsSync(path.join(installed, "dist", file))).toBe(true);
    build("axpy", "cpu");
  });

  test("reports that its native parts are missing if there is no C compiler, but is installed nevertheless", () => {
    for (const file of ["native.node", "launcher"]) rmSync(path.join(installed, "dist", file));
    mkdirSync(path.join(folder, "empty"));
    const run = spawnSync(process.execPath, ["postinstall.mjs"], {
      cwd: installed,
      encoding: "utf8",
      env: { ...env, CC: path.join(folder, "empty/cc") },
    });
    expect(run).toMatchObject({ status: 0 });
    expect(run.stdout).toMatch(/^arc works without its native parts, and slower: /);
    expect(existsSync(path.join(installed, "dist/launcher"))).toBe(false);
  });
});
