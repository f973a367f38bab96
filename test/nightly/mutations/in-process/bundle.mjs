/** bundle.mjs TESTS.. : these tests and the changed passes as one file, which the runner loads once for all changes. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const standIn = path.join(here, "stand-in.mjs");

/** Files keep the places that they had. */
const places = {
  name: "places",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path: file }) => ({
      loader: "ts",
      contents: (await readFile(file, "utf8"))
        .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file)))
        .replaceAll("import.meta.url", JSON.stringify(`file://${file}`)),
    }));
  },
};

await build({
  stdin: {
    contents: [
      ...process.argv.slice(2).map((test) => `import ${JSON.stringify(path.resolve(test))};`),
      `export { tests } from ${JSON.stringify(standIn)};`,
    ].join("\n"),
    resolveDir: here,
  },
  outfile: path.join(here, "bundle.generated.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  alias: { vitest: standIn },
  loader: { ".v": "text" },
  plugins: [places],
  logLevel: "warning",
});
