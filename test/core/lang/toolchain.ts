/** gcc around the front end: preprocess, compile, compare object code. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `use` with a folder that is gone afterwards. */
export function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "arc-lang-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function run(
  command: string,
  args: readonly string[],
  options: { input?: string; cwd?: string } = {},
): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["pipe", "pipe", "pipe"],
    ...options,
  });
}

/** `cc -E -dD` of a text. */
export function preprocess(text: string, flags: readonly string[] = []): string {
  return run("gcc", ["-E", "-dD", "-w", ...flags, "-x", "c", "-"], { input: text });
}

const SECTIONS = [".text", ".data", ".rodata"];

/** Contents of the sections that hold code and data. */
function sections(object: string, folder: string): Record<string, string> {
  const contents: Record<string, string> = {};
  for (const section of SECTIONS) {
    const out = join(folder, "section");
    writeFileSync(out, "");
    run("objcopy", ["-O", "binary", `--only-section=${section}`, object, out]);
    contents[section] = readFileSync(out).toString("hex");
  }
  return contents;
}

/** Object code of preprocessed (`cpp-output`) or printed (`c`) text. Compiler errors throw. */
export function compile(
  text: string,
  language: "cpp-output" | "c",
  flags: readonly string[] = [],
): Record<string, string> {
  return inFolder((folder) => {
    const object = join(folder, "out.o");
    // Printed text has no macros left, so none of the compiler's own may apply either.
    const mode = language === "c" ? ["-undef"] : [];
    run("gcc", ["-w", "-O1", "-g0", ...mode, ...flags, "-c", "-x", language, "-", "-o", object], {
      input: text,
    });
    return sections(object, folder);
  });
}

/** gcc's errors about a text, one per line; empty when there are none. */
export function complaints(text: string, flags: readonly string[] = ["-w"]): string {
  try {
    run("gcc", ["-undef", "-fsyntax-only", ...flags, "-x", "c", "-"], { input: text });
    return "";
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return (stderr ?? String(error))
      .split("\n")
      .filter((line) => line.includes("error"))
      .join("\n");
  }
}
