/** A store that users share: whose folder their group may write serves all of them, whatever their umasks. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { arcProgram, type Outcome, Rig } from "../rig.ts";

const GROUP = 50_000;
const USERS = [50_001, 50_002] as const;
const isRoot = process.getuid?.() === 0 && spawnSync("setpriv", ["--reuid=65534", "true"]).status === 0;

/** Enough actions that users meet in most files of the store. */
const names = Array.from({ length: 12 }, (_, k) => `a${k}`);
const yaml = `arc: 1
project: p
actions:
${names.map((name) => `  ${name}: { run: [sh, -c, "tr a-z A-Z < src/${name} > out/${name}"], inputs: [src/${name}], outputs: [out/${name}] }\n`).join("")}`;

const rigs: Rig[] = [];
afterEach(() => {
  for (const rig of rigs.splice(0)) rmSync(rig.root, { recursive: true });
});

/** A project of each user, with the same sources. */
function projectsOf(): {
  readonly store: string;
  readonly build: (at: 0 | 1, umask: string) => Promise<Outcome>;
  /** From now on both build in one project and store that everybody may write. */
  readonly shared: () => void;
} {
  const rig = new Rig();
  rigs.push(rig);
  chmodSync(rig.root, 0o755);
  for (const user of USERS) {
    rig.write(`${user}/arc.yaml`, yaml);
    for (const name of names) rig.write(`${user}/src/${name}`, `${name}\n`);
    chownSync(path.join(rig.folder, String(user)), user, user);
  }
  let isShared = false;
  const shared = (): void => {
    isShared = true;
    mkdirSync(rig.store);
    for (const folder of [rig.store, path.join(rig.folder, String(USERS[0]))]) chmodSync(folder, 0o777);
  };
  const build = (at: 0 | 1, umask: string): Promise<Outcome> => {
    const user = USERS[at];
    const as = ["setpriv", `--reuid=${user}`, `--regid=${GROUP}`, "--clear-groups"].join(" ");
    return rig.run("sh", ["-c", `umask ${umask}; exec ${as} "${arcProgram}" build --force -k`], {
      cwd: String(isShared ? USERS[0] : user),
      env: { HOME: rig.root },
    });
  };
  return { store: rig.store, build, shared };
}

describe.runIf(isRoot)("a store of two users", () => {
  test.each([
    ["022", "022"],
    ["077", "027"],
  ])("whose group may write it serves both, with umasks %s and %s", async (one, other) => {
    const { store, build } = projectsOf();
    mkdirSync(store);
    chownSync(store, 0, GROUP);
    chmodSync(store, 0o2770);
    for (const [at, umask] of [
      [0, one],
      [1, other],
      [0, other],
    ] as const) {
      const { status, out, err } = await build(at, umask);
      expect([status, err]).toEqual([0, expect.stringMatching(/^arc: done: /m)]);
      expect(out + err).not.toMatch(/warning|cannot|EACCES|EPERM/);
    }
  });

  test("a project of one of them that the other may not write says whose it is, and what to do", async () => {
    const { build, shared } = projectsOf();
    shared();
    expect(await build(0, "022")).toMatchObject({ status: 0 });
    const { status, err } = await build(1, "022");
    expect(status).toBe(2);
    expect(err).toContain(
      `belongs to user ${USERS[0]}, and you are user ${USERS[1]}: each of you builds in a checkout`,
    );
    expect(err).toContain("`umask 002`");
    expect(await build(0, "022")).toMatchObject({ status: 0 });
  });

  test("that is one's own is refused to the other, with what to do", async () => {
    const { store, build } = projectsOf();
    mkdirSync(store);
    chownSync(store, USERS[0], GROUP);
    chmodSync(store, 0o755);
    expect(await build(0, "022")).toMatchObject({ status: 0 });
    const { status, err } = await build(1, "022");
    expect(status).toBe(2);
    expect(err).toContain("let all who use it write it (docs/cache.md#several-users)");
    expect(await build(0, "022")).toMatchObject({ status: 0 });
  });
});
