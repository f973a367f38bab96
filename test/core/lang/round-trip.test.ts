import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { print } from "../../../core/lang/index.ts";
import { withAssertions, withCasts } from "./oracle.ts";
import { parsed } from "./parsing.ts";
import { compile, complaints, preprocess, run } from "./toolchain.ts";

const CORPUS = join(dirname(fileURLToPath(import.meta.url)), "corpus");
const CORPUS_FILES = readdirSync(CORPUS).filter((name) => name.endsWith(".c"));

/** Headers of glibc, gcc and OpenCL; each must be there on Debian with the packages that CI installs. */
const HEADERS =
  "assert complex ctype errno fcntl fenv float inttypes iso646 limits locale math netdb omp pthread semaphore setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings sys/mman sys/socket sys/stat sys/time sys/types sys/wait tgmath time uchar unistd wchar wctype immintrin"
    .split(" ")
    .map((name) => `${name}.h`);

function hasHeader(name: string): boolean {
  try {
    preprocess(`#include <${name}>\n`);
    return true;
  } catch {
    return false;
  }
}

describe("printing what was parsed", () => {
  test.each(CORPUS_FILES)("%s compiles to the same code and data", (name) => {
    const source = preprocess(readFileSync(join(CORPUS, name), "utf8"));
    expect(compile(print(parsed(source)), "c")).toEqual(compile(source, "cpp-output"));
  });

  test.each(CORPUS_FILES)("%s prints the same when parsed again", (name) => {
    const once = print(parsed(preprocess(readFileSync(join(CORPUS, name), "utf8"))));
    expect(print(parsed(once))).toBe(once);
  });

  test.each(HEADERS)("<%s> is parsed without diagnostics and compiles to the same code", (header) => {
    // A use of a declaration of the header keeps gcc from dropping everything.
    const source = preprocess(`#include <${header}>\nint used(void) { return 1; }\n`, ["-D_GNU_SOURCE"]);
    expect(compile(print(parsed(source)), "c")).toEqual(compile(source, "cpp-output"));
  });

  test.skipIf(!hasHeader("CL/cl.h"))("<CL/cl.h> is parsed without diagnostics and compiles", () => {
    const source = preprocess("#include <CL/cl.h>\ncl_int used(cl_float4 v) { return (cl_int)v.s[0]; }\n", [
      "-DCL_TARGET_OPENCL_VERSION=300",
    ]);
    expect(compile(print(parsed(source)), "c")).toEqual(compile(source, "cpp-output"));
  });

  test.skipIf(cudaInclude() === undefined)(
    "<cuda_runtime_api.h> and <cuda.h> are parsed without diagnostics and compile",
    () => {
      const text =
        "#include <cuda_runtime_api.h>\n#include <cuda.h>\nint used(cudaStream_t s) { return cudaStreamSynchronize(s); }\n";
      const source = preprocess(text, ["-I", cudaInclude() ?? ""]);
      expect(compile(print(parsed(source)), "c")).toEqual(compile(source, "cpp-output"));
    },
  );

  test.skipIf(!hasClang())(
    "headers as clang preprocesses them are parsed without diagnostics and compile with clang",
    () => {
      const names = [
        "stdio",
        "stdlib",
        "string",
        "math",
        "complex",
        "time",
        "pthread",
        "stdatomic",
        "tgmath",
        "immintrin",
      ];
      const text = names.map((name) => `#include <${name}.h>\n`).join("");
      const source = run("clang-14", ["-E", "-dD", "-w", "-D_GNU_SOURCE", "-x", "c", "-"], { input: text });
      run("clang-14", ["-w", "-fsyntax-only", "-x", "c", "-"], { input: print(parsed(source)) });
    },
  );

  test("optimised headers with inline definitions keep the declarations they had", () => {
    const source = preprocess(
      "#include <stdlib.h>\n#include <stdio.h>\n#include <ctype.h>\nint f(char *s) { return atoi(s) + tolower(*s) + getchar(); }\n",
      ["-O2", "-D_FORTIFY_SOURCE=2"],
    );
    expect(compile(print(parsed(source)), "c", ["-O2"])).toEqual(compile(source, "cpp-output", ["-O2"]));
  });
});

describe("gcc agrees about types", () => {
  test.each(CORPUS_FILES)("of every expression in %s, and about its constants", (name) => {
    const { text, count } = withAssertions(parsed(preprocess(readFileSync(join(CORPUS, name), "utf8"))));
    expect(count).toBeGreaterThan(30);
    expect(complaints(text)).toBe("");
  });

  test.each(CORPUS_FILES)("of implicit conversions in %s, written as casts", (name) => {
    expect(complaints(withCasts(parsed(preprocess(readFileSync(join(CORPUS, name), "utf8")))))).toBe("");
  });

  test("of every expression in the vector intrinsics of <immintrin.h>", () => {
    const { text, count } = withAssertions(parsed(preprocess("#include <immintrin.h>\n")));
    expect(count).toBeGreaterThan(10_000);
    expect(complaints(text)).toBe("");
  });
});

function hasClang(): boolean {
  return spawnSync("clang-14", ["--version"]).status === 0;
}

/** Where nvcc itself looks for headers. */
function cudaInclude(): string | undefined {
  const plan = spawnSync("nvcc", ["--dryrun", "-c", "-x", "cu", "/dev/null"], { encoding: "utf8" });
  return /INCLUDES="-I([^"]+)"/.exec(plan.stderr ?? "")?.[1];
}
