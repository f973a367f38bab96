/**
 * `npm run package:executable [-- FOLDER]`: arc as one file for this machine's kind of Linux, with Node inside (Node's single
 * executable applications), in release/ or the folder: `arc-VERSION-linux-x64`. Fetches postject, which puts arc into a
 * copy of the Node that runs this; a C compiler makes arc's native part.
 */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";

const root = path.join(import.meta.dirname, "../..");
const target = path.resolve(process.argv[2] ?? path.join(root, "release"));
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** Node looks for it to see whether something was put into it: `NODE_SEA_FUSE` of its own sources. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

function call(program, args, cwd) {
  const run = spawnSync(program, args, { cwd, stdio: ["ignore", 2, 2] });
  if (run.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${run.error?.message ?? run.status}`);
}

/** Below a folder, as the executable unpacks them. */
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
    .map((name) => ({
      name: path.join("dist", name),
      mode: statSync(path.join(folder, name)).mode & 0o777,
      contents: readFileSync(path.join(folder, name)).toString("base64"),
    }));

if (process.platform !== "linux") throw new Error("single executables are made on Linux only");
const stage = mkdtempSync(path.join(tmpdir(), "arc-executable-"));
try {
  const dist = path.join(stage, "dist");
  call(process.execPath, [path.join(root, "build.mjs"), "--portable", dist], root);
  for (const folder of ["core/build/native", "cli/native"])
    cpSync(path.join(root, folder), path.join(stage, "native", folder), { recursive: true });
  cpSync(path.join(import.meta.dirname, "postinstall.mjs"), path.join(stage, "postinstall.mjs"));
  call(process.execPath, ["postinstall.mjs"], stage);
  // It starts the `node` on PATH, of which there need be none.
  rmSync(path.join(dist, "launcher"), { force: true });
  writeFileSync(path.join(stage, "arc.br"), brotliCompressSync(JSON.stringify(filesOf(dist))));
  const config = {
    main: path.join(import.meta.dirname, "executable-main.cjs"),
    output: path.join(stage, "arc.blob"),
    disableExperimentalSEAWarning: true,
    assets: { arc: path.join(stage, "arc.br") },
  };
  writeFileSync(path.join(stage, "sea.json"), JSON.stringify(config));
  call(process.execPath, ["--experimental-sea-config", "sea.json"], stage);
  mkdirSync(target, { recursive: true });
  const file = path.join(target, `arc-${version}-linux-${process.arch}`);
  const made = path.join(stage, "arc");
  copyFileSync(process.execPath, made);
  call(
    "npx",
    ["--yes", "postject@1.0.0-alpha.6", made, "NODE_SEA_BLOB", "arc.blob", "--sentinel-fuse", fuse],
    stage,
  );
  copyFileSync(made, file);
  console.log(file);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
