/**
 * Most of the time that PoCL takes to build a small program goes into reading its library of built-in functions and the
 * header that declares them. Tests build more than a thousand: they use the installed PoCL by a link, beside which it
 * finds a library and a header of what arc's kernels can call (see pocl-library.c).
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
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

const reducer = path.join(import.meta.dirname, "pocl-library.c");
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
  const how = createHash("sha256");
  for (const file of [import.meta.filename, reducer]) how.update(readFileSync(file));
  const folder = path.join(
    tmpdir(),
    `arc-pocl-${size}-${Math.floor(mtimeMs)}-${how.digest("hex").slice(0, 12)}`,
  );
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

/** The library for this processor and the header of its functions are reduced; the other files are those installed. */
function fillShare(share: string, installed: string, llvm: string): void {
  linkAll(installed, share);
  rmSync(path.join(share, "include"));
  linkAll(path.join(installed, "include"), path.join(share, "include"));
  const header = path.join("include", "opencl-c.h");
  const declarations = readFileSync(path.join(installed, header), "utf8");
  rmSync(path.join(share, header));
  writeFileSync(path.join(share, header), declarations.replace(UNNEEDED_DECLARATION, ""));

  const has = new Set(readFileSync("/proc/cpuinfo", "utf8").split(/\s+/));
  const best = Object.entries(features).find(([, feature]) => has.has(feature))?.[0];
  const library = readdirSync(share).find((name) => name.endsWith(`-${best}.bc`));
  if (library === undefined) return;
  const reduce = path.join(share, "reduce");
  execFileSync("gcc", ["-O1", reducer, "-o", reduce, llvm]);
  rmSync(path.join(share, library));
  execFileSync(reduce, [path.join(installed, library), path.join(share, library)]);
}

/** Lines that declare functions of vectors, half numbers, images or samplers, but for those that arc calls. */
const UNNEEDED_DECLARATION =
  /^(?!.*(?: vload_half\(|vstore_half_rte\(float))[a-z].*\b(?:(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)\b|half\b|image|sampler).*;\n/gm;

function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) symlinkSync(path.join(from, name), path.join(to, name));
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
