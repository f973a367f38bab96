/** Yosys on the files of a folder: the installed one, or npm's, as builds take it for families that need a newer one. */
import { execFileSync } from "node:child_process";

const packaged = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { runYosys } from "@yowasp/yosys";
const folder = process.argv[1];
process.chdir(folder);
const files = Object.fromEntries(readdirSync(".").map((name) => [name, readFileSync(name)]));
const quiet = { stdout: () => {}, stderr: (bytes) => bytes && process.stderr.write(bytes) };
const made = await runYosys(["-q", "-p", process.argv[2]], files, quiet);
for (const [name, bytes] of Object.entries(made)) if (bytes instanceof Uint8Array) writeFileSync(name, bytes);
`;

export function yosys(folder: string, commands: readonly string[], which: "installed" | "npm"): void {
  const script = commands.join("; ");
  if (which === "installed") execFileSync("yosys", ["-q", "-p", script], { cwd: folder, stdio: "pipe" });
  else
    execFileSync(process.execPath, ["--input-type=module", "-e", packaged, folder, script], {
      cwd: import.meta.dirname,
      stdio: "pipe",
    });
}
