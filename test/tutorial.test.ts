/** docs/tutorial.md, followed: its files are written, its commands run, and what it says that they print is looked for. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { arcProgram, Rig } from "./cli/rig.ts";

interface Block {
  /** `sh`, `c`, `yaml`, `text`. */
  readonly language: string;
  /** What stands behind it: a file's name, or how a command is to be taken. */
  readonly words: string;
  readonly text: string;
}

const page = readFileSync(path.resolve(import.meta.dirname, "../docs/tutorial.md"), "utf8");
const blocks: readonly Block[] = [...page.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", words = "", text = ""]) => ({ language, words, text }),
);

it("the tutorial's commands do what it says", { timeout: 1_800_000 }, () => {
  const rig = new Rig({}, "shared");
  const env = {
    ...process.env,
    ARC_STORE: rig.store,
    PATH: `${path.dirname(arcProgram)}:${process.env.PATH}`,
  };
  let said: string | undefined;
  let ran = 0;
  for (const { language, words, text } of blocks) {
    if (language === "c" || language === "yaml") rig.write(words, text);
    if (language === "sh") {
      said = undefined;
      const [how = ""] = words.split(" ");
      if (how === "by" || (how === "slow" && process.env.ARC_SLOW_TESTS !== "1")) continue;
      if (how === "edit") spawnSync("sed", ["-i", words.slice(5), "slopes.c"], { cwd: rig.folder });
      said = "";
      for (const line of text.trim().split("\n")) {
        const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
          cwd: rig.folder,
          env,
          encoding: "utf8",
        });
        expect(status === 0, `${line}\n${stdout}${stderr}`).toBe(how !== "fails");
        said += stdout + stderr;
        ran += 1;
      }
    }
    if (language === "text" && said !== undefined)
      for (const line of text.trim().split("\n")) expect(said.replace(/ +/g, " ")).toContain(line);
  }
  expect(ran).toBeGreaterThan(5);
});
