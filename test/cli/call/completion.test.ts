import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../../cli/call/commands.ts";
import { type Names, offersFor } from "../../../cli/call/completion.ts";
import { manPage } from "../../../cli/call/man-page.ts";

const names = (): Names => ({
  targets: [
    { word: "cpu", help: "" },
    { word: "gpu", help: "" },
  ],
  runs: [{ word: "small", help: "67 131" }],
});
const words = (...typed: string[]) => offersFor(typed, names).words.map(({ word }) => word);

describe("what a shell offers", () => {
  test("are commands first", () => {
    expect(words("")).toEqual(commands.map(({ name }) => name));
    expect(words("bu")).toEqual(["build"]);
    expect(words("-C", "elsewhere", "ver")).toEqual(["verify"]);
  });

  test("are the command's options behind a dash, and files as their values", () => {
    expect(words("build", "--dry")).toEqual(["--dry-run"]);
    expect(offersFor(["build", "--trace", ""], names)).toEqual({ words: [], files: true });
    expect(offersFor(["build", "-C", ""], names)).toEqual({ words: [], files: true });
  });

  test("are targets for addresses, then runs, then the program's own files", () => {
    expect(words("build", "c")).toEqual(["cpu"]);
    expect(words("build", "cpu", "")).toEqual(["cpu", "gpu"]);
    expect(words("run", "cpu", "")).toEqual(["small"]);
    expect(offersFor(["run", "cpu", "--", ""], names)).toEqual({ words: [], files: true });
  });

  test("are files for the C compiler and for files, and what a command can do", () => {
    expect(offersFor(["cc", "-c", ""], names)).toEqual({ words: [], files: true });
    expect(offersFor(["check", ""], names)).toEqual({ words: [], files: true });
    expect(words("cache", "")).toEqual(["stats", "prune", "verify", "serve"]);
  });
});

const root = path.resolve(import.meta.dirname, "../../..");
const env = { ...process.env, PATH: `${path.join(root, "bin")}:${process.env.PATH}` };

test("bash completes by the script", () => {
  const script = `eval "$(arc completion bash)"
COMP_WORDS=(arc verify --pr) COMP_CWORD=2; _arc; echo "\${COMPREPLY[@]}"
cd examples/axpy; COMP_WORDS=(arc run p) COMP_CWORD=2; _arc; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" })).toBe("--prove\npocl\n");
});

test("a shell that arc does not know is named", () => {
  const run = spawnSync(path.join(root, "bin/arc"), ["completion", "tcsh"], { encoding: "utf8" });
  expect(run).toMatchObject({ status: 2 });
  expect(run.stderr).toContain("bash, zsh, fish");
});

test("the manual page covers every command and option, and is troff without warnings", () => {
  const page = manPage("1.2.3");
  for (const { name, options } of commands) {
    expect(page).toContain(`.SS "arc ${name}`);
    for (const option of options) expect(page).toContain(`\\-\\-${option.name.replaceAll("-", "\\-")}`);
  }
  const groff = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-z"], { input: page, encoding: "utf8" });
  if (groff.error === undefined) expect(groff).toMatchObject({ status: 0, stderr: "" });
});
