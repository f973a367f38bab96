/** The serial program that designs are compared with, as gcc compiles it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Given, GivenArray } from "./simulation.ts";

interface SerialCase {
  /** Defines `void work(...)`; parameters that are arrays are pointers. */
  readonly source: string;
  /** By parameter name, in the order of the parameters. */
  readonly given: Readonly<Record<string, Given>>;
}

/** The arrays after each call, but those with pointers, elements as unsigned numbers: one program for all cases. */
export function serialArrays(
  cases: readonly SerialCase[],
): readonly Readonly<Record<string, readonly bigint[]>>[] {
  const parts = cases.map(({ source, given }, k) => {
    const arrays = Object.entries(given).filter(([, g]) => typeof g === "object") as [string, GivenArray][];
    // The same object is the same array.
    const owner = (given: unknown) => arrays.find(([, g]) => g === given)?.[0];
    const own = arrays.filter(([name, g]) => owner(g) === name);
    const declarations = own.map(
      ([name, { bytes, values }]) =>
        `  uint${bytes * 8}_t ${name}_[] = {${values.map((v) => `(uint${bytes * 8}_t)${BigInt.asUintN(bytes * 8, BigInt(v))}u${bytes === 8 ? "ll" : ""}`).join(", ")}};`,
    );
    const pointers = own.flatMap(([name, { leads = new Map() }]) =>
      [...leads].map(([k, { to, at }]) => `  ${name}_[${k}] = (uint64_t)(${owner(to)}_ + ${at});`),
    );
    const args = Object.entries(given).map(([, g]) =>
      typeof g === "object" ? `(void *)${owner(g)}_` : `(${BigInt(g)}ll)`,
    );
    const shown = arrays.filter(([, g]) => !g.leads);
    const prints = shown.map(
      ([, g]) =>
        `  for (int k = 0; k < ${g.values.length}; k++) printf("%llu ", (unsigned long long)${owner(g)}_[k]); printf(";");`,
    );
    return {
      names: shown.map(([name]) => name),
      text: [
        `#define work work${k}`,
        source,
        "#undef work",
        `static void run${k}(void) {`,
        ...declarations,
        ...pointers,
        `  work${k}(${args.join(", ")});`,
        ...prints,
        '  printf("\\n");',
        "}",
      ].join("\n"),
    };
  });
  const text = [
    "#include <stdint.h>",
    "#include <stdio.h>",
    "#include <stdlib.h>",
    ...parts.map((p) => p.text),
    `int main(void) { ${parts.map((_, k) => `run${k}();`).join(" ")} return 0; }`,
  ].join("\n");
  const folder = mkdtempSync(path.join(tmpdir(), "arc-serial-"));
  try {
    writeFileSync(path.join(folder, "program.c"), text);
    execFileSync("gcc", ["-std=gnu11", "-O1", "-w", "-fwrapv", "program.c", "-o", "program", "-lm"], {
      cwd: folder,
      stdio: "pipe",
    });
    const out = execFileSync(path.join(folder, "program"), { encoding: "utf8", timeout: 20_000 });
    return out
      .trimEnd()
      .split("\n")
      .map((line, k) =>
        Object.fromEntries(
          line
            .split(";")
            .slice(0, -1)
            .map((array, j) => [
              parts[k]?.names[j] as string,
              array.trim().split(/\s+/).filter(Boolean).map(BigInt),
            ]),
        ),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
