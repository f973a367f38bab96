/**
 * Every test program is hardware or refused with place, reason and remedy: nothing crashes. Each is also looked at
 * without its headers, so that what it calls has no prototypes. ARC_SLOW_TESTS takes them all, else a few of them.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import type { Diagnostic } from "../../../../core/lang/tree/ast.ts";
import { findKind } from "../../../../targets/registry.ts";
import type { TargetKind } from "../../../../targets/shared/kind/kind.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;
const folder = path.resolve(import.meta.dirname, "../../../programs");

const sources = ["acc", "fpga", "omp"]
  .flatMap((kind) =>
    readdirSync(path.join(folder, kind), { recursive: true }).map((name) => path.join(kind, String(name))),
  )
  .filter((name) => name.endsWith(".c"))
  .sort();

/** As the step that preprocesses does; `bare`: without the headers of the system. */
function preprocessed(name: string, bare: boolean): string {
  const model = name.startsWith("omp") ? "-D_OPENMP=202011" : "-D_OPENACC=202211";
  const include = path.resolve(import.meta.dirname, "../../../../targets/runtime/include");
  const text = readFileSync(path.join(folder, name), "utf8");
  const args = ["-E", "-dD", "-w", model, "-isystem", include, "-iquote", path.dirname(name), "-x", "c", "-"];
  const input = bare ? text.replace(/^#include <.*/gm, "") : text;
  return execFileSync("gcc", args, {
    cwd: folder,
    input,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: "pipe",
  });
}

const isExplained = ({ loc, message, remedy, severity }: Diagnostic): boolean =>
  severity !== "error" || (loc.line > 0 && loc.col > 0 && message !== "" && remedy !== undefined);

describe("every program is hardware, or refused with place, reason and remedy", () => {
  const chosen = slow ? sources : sources.filter((_, k) => k % 90 === 9);
  const cases = chosen.flatMap((name) => [false, true].map((bare) => [name, bare] as const));
  it.each(cases)("%s, without its headers: %s", { timeout: 600_000 }, async (name, bare) => {
    const kind = findKind("rtl") as TargetKind;
    const [emitter, device] = await Promise.all([kind.emitter({}), kind.profile?.({})]);
    const source = { file: name, text: preprocessed(name, bare) };
    const shaping = device && { device, all: {}, named: [] };
    const { kernels, diagnostics } = translateKernels(source, emitter, { kind: "separate" }, shaping);
    expect(diagnostics.filter((d) => !isExplained(d))).toEqual([]);
    if (!diagnostics.some(({ severity }) => severity === "error"))
      for (const { text } of kernels) expect(text).toContain("module ");
  });
});
