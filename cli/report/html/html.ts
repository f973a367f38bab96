/** The HTML page: one self-contained file with its data inside, without network access. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../call/usage-error.ts";
import type { PageData } from "../model/page-data.ts";
import { embedded } from "./embedded.ts";

/** Id of the element that holds the data as JSON. */
const DATA = "arc-report";

/** Throws UsageError if this arc was built without the packages for the page. */
export function htmlReport(data: PageData): string {
  const { script, style } = pageParts();
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(data.project)}: arc report</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript><p>This report draws itself with JavaScript, which is off here. Its data stands in the element
${DATA} as JSON; <code>arc report --format markdown</code> has the tables without any.</p></noscript></div>
<script type="application/json" id="${DATA}">${json(data)}</script>
<script>${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}

/** Escaped so that no value can close the element or open a comment. */
const json = (data: PageData): string => JSON.stringify(embedded(data)).replaceAll("<", "\\u003c");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function pageParts(): { readonly script: string; readonly style: string } {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    for (const place of [join(folder, "report-page"), join(folder, "dist/report-page")]) {
      try {
        return {
          script: readFileSync(join(place, "page.js"), "utf8"),
          style: readFileSync(join(place, "page.css"), "utf8"),
        };
      } catch {
        // Try the parent folder.
      }
    }
    if (dirname(folder) === folder)
      throw new UsageError(
        "this arc was built without the page of reports",
        "run `npm install` and `npm run build` in arc's folder, or use --format markdown",
      );
  }
}
