import { describe, expect, it } from "vitest";
import { compilerCommand, includeFolders, splitOptions, tuningOf } from "../../../rules/tools/compiler.ts";

const split = (text: string) => splitOptions(text.split(" "));

describe("options of a compiler call", () => {
  it("go to the phases that they concern, with their values", () => {
    const options = split(
      "-I inc -Dx=1 -D y -isystem sys -include a.h -O2 -Wall -g -Lfoo -L bar -lm -Wl,-z,now -std=c99",
    );
    expect(options.preprocess.join(" ")).toBe("-I inc -Dx=1 -D y -isystem sys -include a.h -O2 -std=c99");
    expect(options.compile.join(" ")).toBe("-O2 -Wall -g -std=c99");
    expect(options.link.join(" ")).toBe("-O2 -g -Lfoo -L bar -lm -Wl,-z,now -std=c99");
  });

  it("that affect both code and linking are passed to both", () => {
    const { compile, link } = split("-fPIC -pthread -m32 -static -shared -pg");
    expect(compile.join(" ")).toBe("-fPIC -pthread -m32 -pg");
    expect(link.join(" ")).toBe("-fPIC -pthread -m32 -static -shared -pg");
  });

  it("keep a value that looks like an option", () => {
    expect(splitOptions(["-D", "-x", "-Xlinker", "-z"]).preprocess).toEqual(["-D", "-x"]);
    expect(splitOptions(["-D", "-x", "-Xlinker", "-z"]).link).toEqual(["-Xlinker", "-z"]);
  });

  it("name the folders that are searched for headers, in the order of the search", () => {
    const options = ["-idiraftere", "-isystem", "c", "-Ia", "-I", "b", "-O2", "-iquoted"];
    expect(includeFolders(options)).toEqual(["d", "a", "b", "c", "e"]);
  });
});

describe("the C compiler", () => {
  it("is $ARC_CC, $CC or cc, and never arc itself", () => {
    expect(compilerCommand({})).toEqual({ program: "cc", args: [] });
    expect(compilerCommand({ CC: "gcc -m64 " })).toEqual({ program: "gcc", args: ["-m64"] });
    expect(compilerCommand({ CC: "gcc", ARC_CC: "clang" })).toEqual({ program: "clang", args: [] });
    expect(compilerCommand({ CC: "/opt/bin/arc cc -acc" })).toEqual({ program: "cc", args: [] });
    expect(compilerCommand({ CC: "'/opt/my tools/arc' cc -acc" })).toEqual({ program: "cc", args: [] });
    expect(compilerCommand({ CC: `"/my tools/gcc" -DS='"a b"' -Dx=\\"y\\ z -I"a \\"b"` })).toEqual({
      program: "/my tools/gcc",
      args: ['-DS="a b"', '-Dx="y z', '-Ia "b'],
    });
    expect(compilerCommand({ CC: "'gcc -m64" })).toEqual({ program: "'gcc", args: ["-m64"] });
  });

  it("aligns loops, and keeps products out of sums in order, where it is a gcc that can", () => {
    const aligned = "-falign-loops=32";
    const apart = "--param=avoid-fma-max-bits=64";
    expect(tuningOf({ version: "cc (Debian 12.2.0-14+deb12u1) 12.2.0" })).toEqual([aligned, apart]);
    expect(tuningOf({ version: "x86_64-linux-gnu-gcc-14 (GCC) 14.1.0" })).toEqual([aligned, apart]);
    expect(tuningOf({ version: "gcc (Debian 10.2.1-6) 10.2.1 20210110" })).toEqual([aligned]);
    for (const version of [
      "Debian clang version 14.0.6",
      "Apple clang (Xcode) 15.0.0",
      "icc (ICC) 2021.7.0 20220726",
      "tcc version 0.9.27 (x86_64 Linux)",
    ])
      expect(tuningOf({ version })).toEqual([]);
  });
});
