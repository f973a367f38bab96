/** What Verilator has to say about a design; nothing about `library`, which it uses. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { shellName } from "../../../targets/rtl/verilog/board/wrapper.ts";

export function lint(text: string, top: string = shellName, library?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-lint-"));
  try {
    writeFileSync(path.join(folder, "design.v"), text);
    const flags = ["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", top];
    const models = library === undefined ? [] : ["-v", library, "-Wno-fatal"];
    const { stdout, stderr } = spawnSync("verilator", [...flags, "design.v", ...models], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
