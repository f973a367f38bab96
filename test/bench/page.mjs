/**
 * How long a browser takes for the page of `arc report --html` with ten thousand results.
 *
 *   node test/bench/page.mjs [REPEATS] [PROFILE.cpuprofile]
 *
 * Seconds of the clock until the first view is drawn and until the page is whole, and seconds of processor time of the page's
 * main thread until then. Medians, and the least.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-page-"));
const repeats = Number(process.argv[2] ?? 9);
const profile = process.argv[3];

/** The page of the tests' report, as a file. */
async function written() {
  const outfile = path.join(folder, "large.mjs");
  await build({
    stdin: {
      contents:
        'export { large } from "./test/cli/report/page/data.ts"; export { htmlReport } from "./cli/report/html/html.ts";',
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    define: { "import.meta.dirname": JSON.stringify(root) },
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const { large, htmlReport } = await import(outfile);
  const file = path.join(folder, "report.html");
  writeFileSync(file, htmlReport(large));
  return file;
}

async function opened(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  if (profile !== undefined) {
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 500 });
    await session.send("Profiler.start");
  }
  // The page is not asked again and again: that would cost its thread as much as a section.
  await page.addInitScript(() => {
    const whole = new MutationObserver(() => {
      globalThis.arcWhole = performance.now();
      console.log("whole");
    });
    const watch = () =>
      whole.observe(document.documentElement, { attributes: true, attributeFilter: ["data-whole"] });
    document.addEventListener("readystatechange", watch, { once: true });
  });
  const whole = page.waitForEvent("console");
  await page.goto(`file://${file}`);
  await whole;
  const { metrics } = await session.send("Performance.getMetrics");
  const metric = (name) => metrics.find((one) => one.name === name)?.value ?? 0;
  const times = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime / 1000,
    whole: globalThis.arcWhole / 1000,
  }));
  if (profile !== undefined) {
    const { profile: taken } = await session.send("Profiler.stop");
    writeFileSync(profile, JSON.stringify(taken));
  }
  await page.close();
  return {
    ...times,
    processor: metric("TaskDuration"),
    script: metric("ScriptDuration"),
    layout: metric("LayoutDuration") + metric("RecalcStyleDuration"),
  };
}

try {
  const file = await written();
  const executablePath = execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"], {
    encoding: "utf8",
  }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const runs = [];
  for (let i = 0; i < repeats; i++) runs.push(await opened(browser, file));
  await browser.close();
  console.log(`${(statSync(file).size / 1e6).toFixed(1)} MB, ${repeats} times`);
  for (const what of ["first", "whole", "processor", "script", "layout"]) {
    const sorted = runs.map((run) => run[what]).sort((a, b) => a - b);
    console.log(
      `${what}: ${sorted[Math.floor(sorted.length / 2)].toFixed(2)} s, least ${sorted[0].toFixed(2)} s`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
