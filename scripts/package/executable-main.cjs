/**
 * What the single executable starts: arc's own files lie in it as one asset, and are unpacked once into the user's cache
 * folder, where Node can load them like an installed package's.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const path = require("node:path");
const { getRawAsset } = require("node:sea");
const { brotliDecompressSync } = require("node:zlib");

const asset = Buffer.from(getRawAsset("arc"));
// Another build of arc has other bytes, and a folder of its own.
const digest = createHash("sha256").update(asset).digest("hex").slice(0, 32);
const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
const folder = path.join(cache, "arc", "executable", digest);

function unpack() {
  mkdirSync(path.dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  for (const { name, mode, contents } of JSON.parse(brotliDecompressSync(asset).toString("utf8"))) {
    const file = path.join(fresh, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(contents, "base64"), { mode });
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another arc was faster: what it unpacked is the same.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

try {
  if (!existsSync(folder)) unpack();
} catch (error) {
  process.stderr.write(
    `arc: cannot unpack itself into ${folder}: ${error.message}\n  try: set XDG_CACHE_HOME to a folder that can be written\n`,
  );
  process.exit(2);
}
const script = path.join(folder, "dist/arc.cjs");
process.argv[1] = script;
createRequire(script)(script);
