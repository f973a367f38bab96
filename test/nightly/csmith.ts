/** Csmith's programs with `func_1` in a region: on variables of its own, or on file-scope variables that live on the device. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Source } from "../targets/fuzz/build.ts";

export const CSMITH_INCLUDE = "/usr/include/csmith";

const LIMITS =
  "--max-funcs 4 --max-block-depth 3 --max-array-dim 2 --max-array-len-per-dim 5 --max-struct-fields 5";

const FORMS = [
  { options: "--no-global-variables", model: "acc" },
  { options: "--no-pointers --no-volatiles", model: "acc" },
  { options: "--no-global-variables --no-volatiles --no-jumps", model: "omp" },
  { options: "--no-pointers --no-volatiles --no-packed-struct", model: "omp" },
] as const;

/** The program of a seed. Seeds go through the forms in turn. */
export function csmithProgram(seed: number): Source {
  const { options, model } = FORMS[seed % FORMS.length] as (typeof FORMS)[number];
  const text = inRegion(generated(seed, options), model);
  return { file: "a.c", text };
}

function generated(seed: number, options: string): string {
  // csmith leaves a file in its working folder.
  const folder = mkdtempSync(path.join(tmpdir(), "arc-csmith-"));
  try {
    const args = [
      "--seed",
      String(seed),
      "--quiet",
      ...LIMITS.split(" "),
      ...options.split(" ").filter(Boolean),
    ];
    return execFileSync("csmith", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const REGION = {
  acc: ["#pragma acc serial copyout(arc_r)", (names: string) => `#pragma acc update self(${names})`],
  omp: ["#pragma omp target map(from: arc_r)", (names: string) => `#pragma omp target update from(${names})`],
} as const;

/** `func_1`'s value is printed, and the file-scope variables go into Csmith's checksum as ever. */
function inRegion(program: string, model: "acc" | "omp"): string {
  const globals = [...program.matchAll(/^static ([^=\n]*?)(g_\d+)(?:\[\d+\])*(?: =|;)/gm)];
  const names = globals.map(([, , name = ""]) => name);
  // Objects that are constant are not written back, and addresses of the device mean nothing to the host.
  const back = globals.filter(([, of = ""]) => !/const|\*/.test(of)).map(([, , name = ""]) => name);
  const [, type = ""] = /^static ([^\n]*?)\s*func_1\(void\);/m.exec(program) ?? [];
  const value = /^(const )?u?int\d+_t$/.test(type);
  const called = value ? `${type.replace("const ", "")} arc_r;` : "int arc_r;";
  const [region, update] = REGION[model];
  const lines = [
    called,
    region,
    value ? "    { arc_r = func_1(); }" : "    { func_1(); arc_r = 1; }",
    ...(back.length ? [update(back.join(", "))] : []),
    '    printf("func_1 %llx\\n", (unsigned long long)arc_r);',
  ];
  const main = program
    .replace("int print_hash_value = 0;", "int print_hash_value = 1;")
    .replace(/^ {4}func_1\(\);/m, `    ${lines.join("\n")}`);
  if (names.length === 0) return main;
  return model === "acc"
    ? main.replace(/^static [^\n]*func_1\(void\);/m, `#pragma acc declare copyin(${names.join(", ")})\n$&`)
    : main
        .replace(/^static [^\n]*\bg_\d+/m, "#pragma omp declare target\n$&")
        .replace(/^int main/m, "#pragma omp end declare target\n$&");
}
