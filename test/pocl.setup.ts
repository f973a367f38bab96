/**
 * Most of the time that PoCL takes to build a small program goes into reading its library of built-in functions. Tests
 * build more than a thousand: they use the installed PoCL by a link, beside which it finds a library of what arc's
 * kernels can call (see pocl-library.c).
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const registry = "/etc/OpenCL/vendors";

/** A folder as `/etc/OpenCL/vendors`, made once for each installed PoCL; nothing where none is installed as Debian does. */
export function quickPocl(): string | undefined {
  if (process.env.OCL_ICD_VENDORS !== undefined || !existsSync(registry)) return undefined;
  const vendors = readdirSync(registry).map((name) => ({
    name,
    library: readFileSync(path.join(registry, name), "utf8").trim(),
  }));
  const pocl = vendors.find((vendor) => path.basename(vendor.library).startsWith("libpocl.so"));
  const installed = pocl && installedPath();
  const llvm = installed && /=> (\S*libLLVM\S*)/.exec(output("ldd", [installed]))?.[1];
  if (!llvm) return undefined;

  const { size, mtimeMs } = statSync(installed);
  const folder = path.join(tmpdir(), `arc-pocl-${size}-${Math.floor(mtimeMs)}`);
  const result = path.join(folder, "vendors");
  if (existsSync(result)) return result;
  const made = mkdtempSync(`${folder}-`);
  // Some tests run programs as another user.
  chmodSync(made, 0o755);
  // PoCL looks for its files from where its library was loaded.
  const library = path.join(folder, "lib/host", path.basename(installed));
  mkdirSync(path.join(made, "lib/host"), { recursive: true });
  const inside = path.join(made, path.relative(folder, library));
  symlinkSync(installed, inside);
  symlinkSync(path.join(path.dirname(installed), "pocl"), path.join(path.dirname(inside), "pocl"));
  fillShare(path.join(made, "share/pocl"), path.resolve(installed, "../../../share/pocl"), llvm);
  mkdirSync(path.join(made, "vendors"));
  for (const vendor of vendors)
    writeFileSync(path.join(made, "vendors", vendor.name), vendor === pocl ? library : vendor.library);
  try {
    renameSync(made, folder);
  } catch {
    // Another run was first.
    rmSync(made, { recursive: true });
  }
  return result;
}

/** What PoCL's libraries ask of a processor, best first, as the kernel names it. PoCL takes the first that fits. */
const features = {
  avx512: "avx512f",
  avx_fma4: "fma4",
  avx2: "avx2",
  avx_f16c: "f16c",
  avx: "avx",
  sse41: "sse4_1",
};

/** The library for this processor is reduced; headers and the other libraries are those installed. */
function fillShare(share: string, installed: string, llvm: string): void {
  mkdirSync(share, { recursive: true });
  for (const name of readdirSync(installed)) symlinkSync(path.join(installed, name), path.join(share, name));
  const has = new Set(readFileSync("/proc/cpuinfo", "utf8").split(/\s+/));
  const best = Object.entries(features).find(([, feature]) => has.has(feature))?.[0];
  const library = readdirSync(share).find((name) => name.endsWith(`-${best}.bc`));
  if (library === undefined) return;
  const reduce = path.join(share, "reduce");
  execFileSync("gcc", ["-O1", path.join(import.meta.dirname, "pocl-library.c"), "-o", reduce, llvm]);
  rmSync(path.join(share, library));
  execFileSync(reduce, [path.join(installed, library), path.join(share, library)]);
}

/** The linker's list has the library by its short name, a vendor's file often by its full one. */
function installedPath(): string | undefined {
  const found = /\blibpocl\.so\S* .*=> (\S+)/.exec(output("ldconfig", ["-p"]))?.[1];
  return found && realpathSync(found);
}

const output = (program: string, args: readonly string[]) =>
  execFileSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
  });
