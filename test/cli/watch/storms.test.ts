/**
 * Storms of random edits, as editors, git and people make them, around a real `arc watch`. When a storm is over, the
 * outputs become those of a build from nothing. `ARC_PROPERTIES=50:7` tries fifty times as many storms, of seed 7.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { type Random, randomFrom } from "../../../cli/explore/random.ts";
import { cases } from "../../cases.ts";
import { Background } from "../background.ts";
import { Rig } from "../rig.ts";

const yaml = (word: string): string => `arc: 1
project: p
actions:
  all: { run: [sh, -c, "cd src; find . -type f | LC_ALL=C sort | xargs sha256sum > ../all; sleep 0.1"], inputs: [src/], outputs: [all] }
  one: { run: [sh, -c, "cat src/a.txt; sleep 0.1; cat linked.txt; echo ${word}"], inputs: [src/a.txt, linked.txt], outputs: [one], stdout: one }
  two: { run: [sh, -c, "cat one src/deep/b.txt src/deep/c.txt > two"], inputs: [one, src/deep/b.txt, src/deep/c.txt], outputs: [two] }
`;
const OUTPUTS = ["all", "one", "two"];
const FILES = ["src/a.txt", "src/deep/b.txt", "src/deep/c.txt"];
const MANY = 21;

const git = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", PATH: process.env.PATH ?? "" };

class World {
  readonly rig = new Rig({ "arc.yaml": yaml("first") });
  readonly #random: Random;
  #count = 0;
  #branch = "main";

  constructor(random: Random) {
    this.#random = random;
    for (const name of FILES) this.rig.write(name, this.#text());
    mkdirSync(this.#beyond("."), { recursive: true });
    for (const name of ["x.txt", "y.txt"]) writeFileSync(this.#beyond(name), this.#text());
    symlinkSync(this.#beyond("x.txt"), this.#at("linked.txt"));
    this.#git("init", "-q", "-b", "main");
    writeFileSync(this.#at(".git/info/exclude"), [".arc", ...OUTPUTS].map((name) => `/${name}\n`).join(""));
    for (const branch of ["main", "other"]) {
      if (branch === "other") this.#git("checkout", "-q", "-b", branch);
      for (let k = 0; k < MANY; k++) this.rig.write(`src/many/${k % 7}/${branch}${k % 3}-${k}`, this.#text());
      this.#git("add", ".");
      this.#git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", branch);
    }
  }

  #git(...args: string[]): void {
    execFileSync("git", args, { cwd: this.rig.folder, env: git });
  }

  #at(name: string): string {
    return path.join(this.rig.folder, name);
  }

  #beyond(name: string): string {
    return path.join(this.rig.root, "beyond", name);
  }

  /** Often of the same length, so that only times tell versions apart. */
  #text(): string {
    const text = String(this.#count++).padStart(6, "0");
    return this.#random() < 0.7 ? `${text}\n` : `${text} ${"longer ".repeat(1 + this.#random() * 5)}\n`;
  }

  #one<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }

  /** Between the steps of an edit. */
  async #step(): Promise<void> {
    const ms = this.#one([0, 0, 1, 5, 30, 120]);
    if (ms > 0) await sleep(ms);
  }

  readonly edits: Readonly<Record<string, () => unknown>> = {
    "write in place": () => writeFileSync(this.#file(), this.#text()),
    "truncate, then write": async () => {
      const file = openSync(this.#file(), "r+");
      ftruncateSync(file, 0);
      await this.#step();
      writeSync(file, this.#text());
      closeSync(file);
    },
    append: () => appendFileSync(this.#file(), this.#text()),
    "rename a new file over it": async () => {
      const file = this.#file();
      writeFileSync(`${file}.tmp`, this.#text());
      await this.#step();
      renameSync(`${file}.tmp`, file);
    },
    "keep a backup, as vim does": async () => {
      const file = this.#file();
      writeFileSync(path.join(path.dirname(file), ".swp"), "swap");
      renameSync(file, `${file}~`);
      await this.#step();
      writeFileSync(file, this.#text());
      await this.#step();
      rmSync(`${file}~`);
      rmSync(path.join(path.dirname(file), ".swp"), { force: true });
    },
    "touch only": () => utimesSync(this.#file(), this.#random() * 2e9, this.#random() * 2e9),
    "change its mode only": () => chmodSync(this.#file(), this.#one([0o600, 0o644, 0o755])),
    "write other bytes, and set the time back": () => {
      const file = this.#file();
      const { atime, mtime, size } = statSync(file);
      writeFileSync(file, this.#text().slice(0, size).padEnd(size, "z"));
      utimesSync(file, atime, mtime);
    },
    "delete and create": async () => {
      const file = this.#file();
      rmSync(file);
      await this.#step();
      writeFileSync(file, this.#text());
    },
    "a folder away and back": async () => {
      const folder = this.#folder();
      renameSync(folder, this.#beyond("away"));
      await this.#step();
      renameSync(this.#beyond("away"), folder);
    },
    "a folder away, changed, and back": async () => {
      const folder = this.#folder();
      renameSync(folder, this.#beyond("away"));
      for (const name of readdirSync(this.#beyond("away"))) {
        const file = this.#beyond(`away/${name}`);
        if (lstatSync(file).isFile()) writeFileSync(file, this.#text());
      }
      await this.#step();
      renameSync(this.#beyond("away"), folder);
    },
    "a copy in a folder's place": async () => {
      const folder = this.#folder();
      cpSync(folder, this.#beyond("copy"), { recursive: true });
      rmSync(folder, { recursive: true });
      await this.#step();
      renameSync(this.#beyond("copy"), folder);
    },
    "break arc.yaml, and mend it": async () => {
      writeFileSync(this.#at("arc.yaml"), this.#one(["", "arc: 1\nproject: [", `${yaml("x")}oops: 1\n`]));
      await this.#step();
      await this.#step();
      writeFileSync(this.#at("arc.yaml"), yaml(`word${this.#count++}`));
    },
    "point the link elsewhere": async () => {
      rmSync(this.#at("linked.txt"), { force: true });
      await this.#step();
      symlinkSync(this.#beyond(this.#one(["x.txt", "y.txt"])), this.#at("linked.txt"));
    },
    "write where the link leads": () =>
      writeFileSync(this.#beyond(this.#one(["x.txt", "y.txt"])), this.#text()),
    "rename over where the link leads": () => {
      writeFileSync(this.#beyond("new"), this.#text());
      renameSync(this.#beyond("new"), this.#beyond(this.#one(["x.txt", "y.txt"])));
    },
    "write through another hard link": async () => {
      rmSync(this.#beyond("hard"), { force: true });
      linkSync(this.#file(), this.#beyond("hard"));
      await this.#step();
      writeFileSync(this.#beyond("hard"), this.#text());
      // The kernel tells of a write only under the name that was written.
      const file = this.#file();
      utimesSync(file, 1, 1);
      for (const name of FILES) utimesSync(this.#at(name), 1, 1);
    },
    "check out the other branch": () => {
      this.#branch = this.#branch === "main" ? "other" : "main";
      this.#git("checkout", "-qf", this.#branch);
    },
    "remove an output": () => rmSync(this.#at(this.#one(OUTPUTS)), { force: true }),
  };

  #file(): string {
    return this.#at(this.#one(FILES));
  }

  #folder(): string {
    return this.#at(this.#one(["src", "src/deep", "src/many"]));
  }

  async storm(isClockMoved: boolean): Promise<readonly string[]> {
    const made: string[] = [];
    for (let left = 1 + Math.floor(this.#random() * 9); left > 0; left -= 1) {
      if (isClockMoved && this.#random() < 0.5) {
        const seconds = this.#one([-100_000_000, -3600, -1, 0, 1, 3600, 100_000_000]);
        writeFileSync(clock, String(seconds));
        made.push(`set the clock by ${seconds} s`);
      }
      const name = this.#one(Object.keys(this.edits));
      made.push(name);
      await this.edits[name]?.();
      await this.#step();
    }
    // To remove an output is no save: it is made again at the next one.
    if (made.includes("remove an output")) writeFileSync(this.#file(), this.#text());
    return made;
  }

  outputs(folder = this.rig.folder): readonly (string | undefined)[] {
    return OUTPUTS.map((name) => {
      const file = path.join(folder, name);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    });
  }

  /** Undefined where such a build fails. */
  async fromNothing(): Promise<readonly (string | undefined)[] | undefined> {
    const clean = path.join(this.rig.root, "clean");
    const isSource = (from: string): boolean =>
      ![".arc", ".git", ...OUTPUTS].includes(path.relative(this.rig.folder, from));
    cpSync(this.rig.folder, clean, { recursive: true, verbatimSymlinks: true, filter: isSource });
    const env = { ARC_STORE: path.join(this.rig.root, "clean-store") };
    const { status } = await this.rig.arc(["-C", clean, "build"], { env });
    const outputs = status === 0 ? this.outputs(clean) : undefined;
    for (const folder of [clean, env.ARC_STORE]) rmSync(folder, { recursive: true, force: true });
    return outputs;
  }
}

const shop = new Rig();
const libraries = Object.fromEntries(
  ["few-watches", "jumping-clock"].map((name) => {
    const library = path.join(shop.root, `${name}.so`);
    const source = path.join(import.meta.dirname, `${name}.c`);
    const { status } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
    return [name, status === 0 ? library : undefined];
  }),
);
afterAll(() => rmSync(shop.root, { recursive: true }));

const clock = path.join(shop.root, "clock");
const few = (count: number) => ({ LD_PRELOAD: libraries["few-watches"], FEW_WATCHES: String(count) });

const NO_MORE = "the kernel watches no more folders";

interface Surroundings {
  readonly storms: number;
  readonly isClockMoved?: boolean;
  /** What it says. */
  readonly says?: string;
  /** Of `arc watch`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const surroundings: Readonly<Record<string, Surroundings>> = {
  "as the kernel tells of them": { storms: 3, env: {} },
  "while the clock jumps": {
    storms: 2,
    isClockMoved: true,
    env: { LD_PRELOAD: libraries["jumping-clock"], CLOCK_OFF: clock },
  },
  "with watches for some of the folders only": { storms: 1, env: few(9), says: NO_MORE },
  "without any watch": { storms: 1, env: few(-1), says: NO_MORE },
  polled: { storms: 1, env: { CHOKIDAR_USEPOLLING: "1" } },
};

async function weather({ storms, isClockMoved = false, says = "", env }: Surroundings): Promise<void> {
  for (const value of Object.values(env)) expect(value).toBeDefined();
  const { numRuns, seed } = cases(storms);
  const world = new World(randomFrom(seed * 7919 + JSON.stringify(env).length));
  const watch = new Background(world.rig, ["watch"], env as Record<string, string>);
  const history: string[] = [];
  let compared = 0;
  try {
    await watch.until((said) => said.includes("waiting for changes"));
    for (let storm = 0; storm < numRuns; storm += 1) {
      history.push(`storm ${storm}:`, ...(await world.storm(isClockMoved)));
      const wanted = await world.fromNothing();
      if (wanted === undefined) continue;
      compared += 1;
      const isSo = (): boolean => String(world.outputs()) === String(wanted);
      const patience = performance.now() + PATIENCE_MS;
      while (!isSo() && performance.now() < patience) await sleep(20);
      if (!isSo())
        expect.fail(
          `${history.slice(-30).join("\n")}\n${watch.err.slice(-3000)}\n${world.outputs()}\n${wanted}`,
        );
    }
    // Few storms leave what cannot be built.
    expect(compared).toBeGreaterThan(numRuns / 2);
    expect(watch.err).toContain(says);
    expect(await watch.end()).toBe(130);
  } finally {
    await watch.end("SIGKILL");
    rmSync(world.rig.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** How long outputs may take on a busy machine. */
const PATIENCE_MS = 60_000;

test.each(Object.entries(surroundings))(
  "outputs after storms of edits are those of a build from nothing, %s",
  { timeout: 36_000_000 },
  (_, each) => weather(each),
);
