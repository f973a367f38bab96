/**
 * Runs regions in MLIR on the CPU. The operations of dialect gpu become calls of machine.c, and Debian's mlir-opt and
 * clang compile the rest.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { mlirTexts } from "../../../rules/plan/mlir.ts";

const machine = path.join(import.meta.dirname, "machine.c");

const passes = [
  "--convert-scf-to-cf",
  "--convert-memref-to-llvm",
  "--convert-math-to-llvm",
  "--convert-math-to-libm",
  "--convert-arith-to-llvm",
  "--convert-func-to-llvm",
  "--convert-cf-to-llvm",
  "--reconcile-unrealized-casts",
];

/** Calls functions of machine.c, and keeps their types. */
class Machine {
  readonly types = new Map<string, string>();
  call(name: string, type: string, args: readonly string[] = []): string {
    this.types.set(name, type);
    return `func.call @${name}(${args.join(", ")}) : ${type}`;
  }
}

const element = (type = ""): string => /^memref<\?x(\w+)>$/.exec(type)?.[1] ?? "unknown";

/** Operations of one line. */
function withCalls(line: string, machine: Machine): string {
  return line
    .replace(/gpu\.(\w+_(?:id|dim)) (x|y)$/, (_, what, d) => machine.call(`${what}_${d}`, "() -> index"))
    .replace("gpu.barrier", () => machine.call("barrier", "() -> ()"))
    .replace("gpu.return", "return")
    .replace(/gpu\.all_reduce (\w+) (%\w+) .* : \((\w+)\).*/, (_, op, value, type) =>
      machine.call(`all_reduce_${op}_${type}`, `(${type}) -> ${type}`, [value]),
    )
    .replace(/gpu\.alloc \((%\w+)\) : (.*)/, (_, size, type) =>
      machine.call(`alloc_${element(type)}`, `(index) -> ${type}`, [size]),
    )
    .replace(/gpu\.memcpy (%\w+), (%\w+) : (.*), .*/, (_, to, from, type) =>
      machine.call(`memcpy_${element(type)}`, `(${type}, ${type}) -> ()`, [to, from]),
    )
    .replace(/gpu\.dealloc (%\w+) : (.*)/, (_, memory, type) =>
      machine.call(`dealloc_${element(type)}`, `(${type}) -> ()`, [memory]),
    );
}

/** Atomic updates, which Debian's MLIR does not always lower, are done under a lock. */
const update =
  /%\w+ = memref\.generic_atomic_rmw (\S+) : (\S+) \{\n\s*\^bb0\((%\w+): .*\n([^}]*)memref\.atomic_yield (%\w+) : .*\n\s*\}/g;

function withLock(text: string, machine: Machine): string {
  return text.replace(update, (_, place, type, old, operations, updated) =>
    [
      machine.call("lock", "() -> ()"),
      `${old} = memref.load ${place} : ${type}`,
      operations,
      `memref.store ${updated}, ${place} : ${type}`,
      machine.call("unlock", "() -> ()"),
    ].join("\n"),
  );
}

/** Memory of a group is a global variable, as one group runs at a time. */
function kernelHead(name: string, params: string, memory = ""): string {
  const shared = [...memory.matchAll(/(%\w+): (memref<[^>]*>)/g)];
  return [
    ...shared.map(([, own = "", type]) => `memref.global "private" @${name}_${own.slice(1)} : ${type}`),
    `func.func @${name}_kernel(${params}) {`,
    ...shared.map(([, own = "", type]) => `${own} = memref.get_global @${name}_${own.slice(1)} : ${type}`),
  ].join("\n");
}

/** All groups, one after the other. */
function launch(machine: Machine, name: string, grid: string[], group: string[], args: string): string {
  const [x, y, one, zero, takes] = ["x", "y", "one", "zero", "takes"].map((d) => `%${d}_${name}`);
  const of = args === "" ? [] : args.split(", ").map((arg) => arg.split(" : "));
  const [values, types] = [0, 1].map((k) => of.map((arg) => arg[k]).join(", "));
  return `${machine.call("launch", "(index, index, index, index) -> ()", [...grid, ...group])}
    ${zero} = arith.constant 0 : index
    ${one} = arith.constant 1 : index
    scf.for ${y} = ${zero} to ${grid[1]} step ${one} {
      scf.for ${x} = ${zero} to ${grid[0]} step ${one} {
        ${takes} = ${machine.call("takes_part", "(index, index) -> i1", [`${x}`, `${y}`])}
        scf.if ${takes} {
          func.call @${name}_kernel(${values}) : (${types}) -> ()
        }
      }
    }
    ${machine.call("landed", "() -> ()")}`;
}

/** The functions of a region's module. Device functions get the region's number, as all regions share a module. */
function functionsOf(text: string, number: number, machine: Machine): string {
  const body = text
    .replace(/^module .*\n.*\n/, "")
    .replace("\n  }\n  func.func", "\n  func.func")
    .replace(/\}\s*$/, "")
    .replaceAll(", #gpu.address_space<workgroup>", "");
  const own = [...body.matchAll(/^ {4}func\.func @(\w+)/gm)].map(([, name = ""]) => name);
  const renamed = own.reduce((now, name) => now.replaceAll(`@${name}(`, `@${name}_${number}(`), body);
  return withLock(renamed, machine)
    .split("\n")
    .map((line) => withCalls(line, machine))
    .join("\n")
    .replace(/gpu\.func @(\w+)\((.*?)\)(?: workgroup\((.*)\))? kernel \{/g, (_, name, params, memory) =>
      kernelHead(name, params, memory),
    )
    .replace(
      /gpu\.launch_func @kernels::@(\w+) blocks in \((\S+), (\S+), \S+\) threads in \((\S+), (\S+), \S+\)(?: args\((.*)\))?/g,
      (_, name, gx, gy, sx, sy, args = "") => launch(machine, name, [gx, gy], [sx, sy], args),
    );
}

/**
 * What a program prints: a C source with regions, and its `main`, in which `run(f)` has all threads call f. HOST0,
 * HOST1.. are the names of the regions' host functions.
 */
export function printed(
  regions: string,
  main: string,
): { readonly out: string; readonly refused: readonly string[] } {
  const [{ text = "", diagnostics = [] } = {}] = mlirTexts([{ file: "e.c", text: regions }]);
  const refused = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
  if (refused.length > 0) return { out: "", refused };
  const calls = new Machine();
  const modules = text.split(/^(?=module )/m);
  const functions = modules.map((one, k) => functionsOf(one, k, calls));
  const outside = [...calls.types].map(
    ([name, type]) => `func.func private @${name}${type.replace(" -> ()", "")}`,
  );
  const folder = mkdtempSync(path.join(tmpdir(), "arc-mlir-"));
  const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8" });
  try {
    write("e.mlir", ["module {", ...outside, ...functions, "}"].join("\n"));
    run("mlir-opt-16", [...passes, "e.mlir", "-o", "lowered.mlir"]);
    run("mlir-translate-16", ["--mlir-to-llvmir", "lowered.mlir", "-o", "e.ll"]);
    // A word that is newer than this clang.
    write("e.ll", readFileSync(path.join(folder, "e.ll"), "utf8").replaceAll("memory(none)", "readnone"));
    write("main.c", `${regions}\n${main}`);
    const names = modules.map((one, k) => `-DHOST${k}=${/^module @(\w+)/.exec(one)?.[1]}`);
    run("clang-15", ["-w", "-O1", "-c", "e.ll"]);
    run("gcc", ["-w", "-O1", ...names, "main.c", "e.o", machine, "-o", "program", "-lm", "-lpthread"]);
    return { out: run(path.join(folder, "program"), []), refused };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
