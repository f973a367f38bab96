/** Bundles the page of `arc report --html`: for browsers, in one script and one style sheet, which the report carries inside. */
import path from "node:path";
import { build } from "esbuild";

/** Writes dist/report-page; says why not where the packages that it is made with are not installed. */
export async function bundleReportPage(root, dist) {
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [path.join(root, "cli/report/page/page.tsx"), path.join(root, "cli/report/page/page.css")],
      outdir: path.join(dist, "report-page"),
      bundle: true,
      minify: true,
      platform: "browser",
      format: "iife",
      target: "es2022",
      jsx: "automatic",
      jsxImportSource: "preact",
      legalComments: "none",
      logLevel: "silent",
      tsconfigRaw: "{}",
    });
  } catch (error) {
    const missing = (error.errors ?? []).map(({ text }) => text);
    if (
      missing.length > 0 &&
      missing.every((text) => /^Could not resolve "(preact|@observablehq)/.test(text))
    )
      return `${missing[0]}: npm install gets it`;
    throw error;
  }
}
