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
  variants: (target) => [{ word: `${target}:default`, help: "" }],
  figures: [{ word: "time", help: "" }],
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

  test("are the words that an option takes, and no files beside them", () => {
    expect(offersFor(["report", "--format", "c"], names)).toEqual({
      words: [{ word: "csv", help: "" }],
      files: false,
    });
    expect(words("explore", "--goal", "")).toEqual(["time", "area", "energy", "pareto"]);
    expect(words("report", "--sort", "")).toEqual(["time"]);
    expect(words("report", "--best", "")).toEqual(["time", "pareto"]);
  });

  test("are a target's variants behind a colon", () => {
    expect(words("build", "cpu:")).toEqual(["cpu:default"]);
    expect(words("bench", "cpu", "gpu:d")).toEqual(["gpu:default"]);
    expect(words("build", "cpu:default/")).toEqual([]);
  });

  test("are targets for addresses, then runs, then the program's own files", () => {
    expect(words("build", "c")).toEqual(["cpu"]);
    expect(words("build", "cpu", "")).toEqual(["cpu", "gpu"]);
    expect(words("run", "cpu", "")).toEqual(["small"]);
    expect(words("explore", "")).toEqual(["cpu", "gpu"]);
    expect(words("explore", "cpu", "")).toEqual(["small"]);
    expect(words("bench", "cpu", "")).toEqual(["small", "cpu", "gpu"]);
    expect(words("completion", "")).toEqual(["bash", "zsh", "fish"]);
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
cd examples/axpy; COMP_WORDS=(arc run p) COMP_CWORD=2; _arc; echo "\${COMPREPLY[@]}"
cd ../sobel-rtl; COMP_WORDS=(arc build fpga : sw2) COMP_CWORD=4; _arc; echo "\${COMPREPLY[@]}"
COMP_WORDBREAKS=" "; COMP_WORDS=(arc build fpga:sw2) COMP_CWORD=2; _arc; echo "\${COMPREPLY[@]}"
COMP_WORDS=(arc report --sort cy) COMP_CWORD=3; _arc; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" })).toBe(
    "--prove\npocl\nsw2 sw2_clk100\nfpga:sw2 fpga:sw2_clk100\ncycles\n",
  );
});

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).error === undefined;

test.skipIf(!has("zsh"))("zsh completes by the script, with a description only where there is one", () => {
  const script = `compdef() {}; _files() { print files }; _describe() { print -rl -- "\${offers[@]}" }
source <(arc completion zsh); cd examples/sobel-rtl
words=(arc build f); CURRENT=3; _arc; words=(arc build fpga:sw2); _arc
words=(arc explore --goal e); CURRENT=4; _arc; words=(arc report --html ""); _arc`;
  const out = execFileSync("zsh", ["-fc", script], { cwd: root, env, encoding: "utf8" });
  expect(out).toBe("fpga:target of kind rtl\nfpga\\:sw2\nfpga\\:sw2_clk100\nenergy\nfiles\n");
});

test.skipIf(!has("fish"))("fish completes by the script", () => {
  const script = `arc completion fish | source; cd examples/sobel-rtl
complete -C "arc build f"; complete -C "arc build fpga:sw2"; complete -C "arc explore --goal e"`;
  const out = execFileSync("fish", ["-c", script], { cwd: root, env, encoding: "utf8" });
  expect(out).toBe("fpga\ttarget of kind rtl\nfpga:sw2\nfpga:sw2_clk100\nenergy\n");
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
