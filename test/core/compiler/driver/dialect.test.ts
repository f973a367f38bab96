/** Compiler options that change what C means, for each kind of target: followed, named, or refused. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../core/compiler/compile.ts";
import { dialectMark, dialectOf, dialectOptions } from "../../../../core/ir/model/c-dialect.ts";
import { findKind } from "../../../../targets/registry.ts";
import type { TargetOptions } from "../../../../targets/shared/kind/kind.ts";

const program = (mark: string): string => `${mark}
void f(int *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = a[i] + 1;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = -a[i];
}
`;

type Outcome = "followed" | "named" | "refused";

const kinds = ["host", "opencl", "cuda", "hip", "intel-fpga", "vitis", "rtl"] as const;
const options: Readonly<Record<string, TargetOptions>> = { rtl: { part: "ecp5-25k", clock: 50 } };

async function outcomeOf(kind: string, flags: readonly string[]): Promise<Outcome> {
  const [define = ""] = dialectMark(flags);
  const text = program(define.replace(/^-D(\w+)=/, "#define $1 "));
  const emitter = await findKind(kind)?.emitter(options[kind] ?? {});
  if (!emitter) throw new Error(`no kind ${kind}`);
  const { diagnostics, kernels } = compile({ file: "a.c", text, preprocessed: text }, emitter);
  const said = diagnostics.filter(({ code }) => code === "option-of-host");
  // Once, although there are two regions.
  expect(said.length).toBeLessThan(2);
  const [first] = said;
  if (first?.severity === "error") return "refused";
  expect(kernels.length, diagnostics.map(({ message }) => message).join("\n")).toBeGreaterThan(0);
  return first ? "named" : "followed";
}

const own = (host: Outcome, others: Outcome): Partial<Record<string, Outcome>> => ({ host, others });

const table: Readonly<Record<string, Partial<Record<string, Outcome>>>> = {
  "-O2": own("followed", "followed"),
  "-Ofast": own("followed", "followed"),
  "-ffast-math": own("followed", "followed"),
  "-std=gnu89": own("followed", "followed"),
  "-fgnu89-inline": own("followed", "followed"),
  "-fwrapv": own("followed", "followed"),
  "-fno-strict-overflow": own("followed", "followed"),
  "-ffp-contract=off": own("followed", "followed"),
  "-fsigned-char": own("followed", "followed"),
  "-funsigned-char": own("followed", "followed"),
  "-fno-signed-char": own("followed", "followed"),
  "-fno-strict-aliasing": { host: "followed", others: "named", hip: "followed" },
  "-fsanitize=undefined": own("followed", "named"),
  "-ftrivial-auto-var-init=zero": own("followed", "named"),
  "-frounding-math": own("followed", "named"),
  "-mfpmath=387": own("followed", "named"),
  "-ftrapv": own("followed", "refused"),
  "-funsigned-bitfields": own("followed", "refused"),
  "-fsingle-precision-constant": own("followed", "refused"),
  "-fshort-wchar": own("followed", "refused"),
  "-fshort-enums": own("refused", "refused"),
  "-fpack-struct": own("refused", "refused"),
  "-fpack-struct=2": own("refused", "refused"),
  "-mms-bitfields": own("refused", "refused"),
  "-fsso-struct=big-endian": own("refused", "refused"),
  "-fexec-charset=IBM1047": own("refused", "refused"),
  "-fexec-charset=UTF-8": own("followed", "followed"),
  "-m32": own("refused", "refused"),
  "-mx32": own("refused", "refused"),
  "-mlong-double-64": own("refused", "refused"),
  "-fpack-struct -fno-pack-struct": own("followed", "followed"),
  "-ftrapv -fwrapv": own("followed", "followed"),
  "-fwrapv -ftrapv": own("followed", "refused"),
};

describe.each(kinds)("for %s", (kind) => {
  it.each(Object.entries(table))("%s is what the table says", async (flags, outcomes) => {
    expect(await outcomeOf(kind, flags.split(" "))).toBe(outcomes[kind] ?? outcomes.others);
  });
});

describe("options that change what C means", () => {
  it("count where they are the last of their sort", () => {
    expect(dialectOptions(["-fwrapv", "-O2", "-fno-wrapv"])).toEqual([]);
    expect(dialectOptions(["-fno-wrapv", "-fwrapv"])).toEqual(["-fwrapv"]);
    expect(dialectOptions(["-fpack-struct=4", "-fpack-struct=2"])).toEqual(["-fpack-struct=2"]);
  });

  it("say that `char` has no sign where the compiler's own macro does, as for ARM", () => {
    const defined = "#define __CHAR_UNSIGNED__ 1\n";
    expect(dialectOf(`${defined}int x;\n`)).toEqual(["-funsigned-char"]);
    expect(dialectOf(`${defined}#define ARC_C_DIALECT -fwrapv -fno-signed-char\nint x;\n`)).toEqual([
      "-fwrapv",
      "-funsigned-char",
    ]);
    expect(dialectOf("#ifdef __CHAR_UNSIGNED__\n#endif\n")).toEqual([]);
  });

  it.each([
    ['#pragma GCC optimize("wrapv")', "-fwrapv"],
    ['#pragma GCC optimize ("O3,no-strict-aliasing")', "-fno-strict-aliasing"],
    ['__attribute__((optimize("-fwrapv"))) int f(int a) { return a + 1; }', "-fwrapv"],
    ['__attribute__((__optimize__("trapv"))) int f(int a) { return a + 1; }', "-ftrapv"],
  ])("are those that a source gives itself, too: %s", (text, option) => {
    expect(dialectOf(text)).toEqual([option]);
  });
});
