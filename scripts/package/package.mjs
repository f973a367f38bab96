/**
 * `npm run package [-- FOLDER]`: the npm package of arc, as a .tgz in release/ or the folder. It holds nothing that is of one
 * machine: native parts are compiled where it is installed (postinstall.mjs), and arc does without them where there is no C
 * compiler or where scripts of packages do not run. The open FPGA tools are optional peers.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");
const target = path.resolve(process.argv[2] ?? path.join(root, "release"));
const own = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/** Of the checkout's, what those who install it need; and what only they do. */
function manifest() {
  const { version, description, license, type, engines, bin, dependencies, repository } = own;
  return {
    name: "@arc-compiler/arc",
    version,
    description,
    keywords: ["openacc", "openmp", "compiler", "gpu", "fpga", "hls", "build", "cache"],
    license,
    type,
    ...(repository && { repository }),
    os: ["!win32"],
    engines,
    bin,
    man: ["dist/arc.1"],
    scripts: { postinstall: "node postinstall.mjs" },
    peerDependencies: dependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(dependencies).map((name) => [name, { optional: true }]),
    ),
    publishConfig: { access: "public", provenance: true },
  };
}

function call(program, args, cwd) {
  const run = spawnSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${run.error?.message ?? run.status}`);
  return run.stdout;
}

const stage = mkdtempSync(path.join(tmpdir(), "arc-package-"));
try {
  call(process.execPath, [path.join(root, "build.mjs"), "--portable", path.join(stage, "dist")], root);
  for (const file of [
    "bin",
    "docs",
    "README.md",
    "ARCHITECTURE.md",
    "LICENSE",
    "SECURITY.md",
    "CHANGELOG.md",
  ])
    cpSync(path.join(root, file), path.join(stage, file), { recursive: true });
  cpSync(path.join(root, "examples"), path.join(stage, "examples"), {
    recursive: true,
    filter: (file) => !["out", ".arc"].includes(path.basename(file)),
  });
  // Headers are found by the same relative paths as in the checkout.
  for (const folder of ["core/build/native", "cli/native"])
    cpSync(path.join(root, folder), path.join(stage, "native", folder), {
      recursive: true,
      filter: (file) => !file.endsWith(".ts") && !file.endsWith(".d.mts"),
    });
  cpSync(path.join(import.meta.dirname, "postinstall.mjs"), path.join(stage, "postinstall.mjs"));
  writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  mkdirSync(target, { recursive: true });
  const [packed] = JSON.parse(call("npm", ["pack", "--json", "--pack-destination", target], stage));
  console.log(path.join(target, packed.filename));
} finally {
  rmSync(stage, { recursive: true, force: true });
}
