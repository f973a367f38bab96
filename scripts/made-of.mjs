/** Whether dist/ is the build of the sources that are here: tests need one, and a build takes longer than most of them. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const singleFiles = ["build.mjs", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
const folders = ["cli", "core", "rules", "schema", "targets", "scripts"];

/** In the folder that every build makes anew, so that it is about the build that is there. */
const noteIn = (root) => path.join(root, "dist/made-of");

/** Of names, sizes and times of all that a bundle is made of. */
export function sourcesDigest(root) {
  const hash = createHash("sha256");
  const inFolders = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .sort()
      .map((file) => path.join(folder, file)),
  );
  for (const file of [...singleFiles, ...inFolders]) {
    const stats = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) hash.update(`${file} ${stats?.size} ${stats?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** `digest`: of the sources as they were before the build read them, since they may have changed meanwhile. */
export function noteSources(root, digest) {
  writeFileSync(noteIn(root), digest);
}

export function isMadeOfSources(root) {
  const note = noteIn(root);
  const isThere = statSync(note, { throwIfNoEntry: false }) !== undefined;
  return isThere && readFileSync(note, "utf8") === sourcesDigest(root);
}
