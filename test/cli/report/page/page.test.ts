/** The page of `arc report --html` in a browser: what it shows, how it is used, whom it leaves out. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { htmlReport } from "../../../../cli/report/html/html.ts";
import type { PageData } from "../../../../cli/report/model/page-data.ts";
import { everything, large } from "./data.ts";

const program = (() => {
  try {
    return execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"], {
      encoding: "utf8",
    }).trim();
  } catch {
    return undefined;
  }
})();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "arc-page-"));

describe.skipIf(program === undefined)("the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program as string, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a report in a page that no network is open to; anything that goes wrong in it fails the test. */
  async function open(
    data: PageData,
    { hash = "", width = 1200, dark = false }: { hash?: string; width?: number; dark?: boolean } = {},
  ): Promise<{ readonly page: Page; readonly troubles: string[] }> {
    const file = path.join(folder, "report.html");
    writeFileSync(file, htmlReport(data));
    const page = await browser.newPage({
      viewport: { width, height: 800 },
      colorScheme: dark ? "dark" : "light",
    });
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith("file:") && !request.url().startsWith("data:"))
        troubles.push(request.url());
    });
    await page.goto(`file://${file}${hash}`);
    // What follows the first view is made a frame later each.
    await page.waitForSelector("html[data-whole] main");
    return { page, troubles };
  }

  it.each([
    [400, false],
    [900, true],
    [1600, false],
    [1600, true],
  ])("is readable for all, fits, and asks nothing of a network: %i wide, dark: %s", async (width, dark) => {
    const { page, troubles } = await open(everything, { width, dark, hash: "#a=fpga:default&b=fpga:sw2" });
    await page.waitForSelector("figure svg");
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const found = await axe.run();
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    });
    expect(violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it("has the errors first, each at its place, and every view after them", async () => {
    const { page } = await open(everything);
    const headings = await page.locator("h2").allTextContents();
    expect(headings.map((text) => text.split(/[:#]/)[0]?.trim())).toEqual([
      "Problems",
      "Variants",
      "Compare",
      "History",
      "Loops in hardware",
      "Schedule of an iteration",
      "What the passes did",
      "Runs, measured",
      "Last build",
      "Verification",
      "Source",
    ]);
    await page.getByRole("link", { name: "a.c:2" }).first().click();
    expect(page.url()).toContain("line=2");
    expect(await page.locator("#source tr.chosen code").textContent()).toContain("for (;;)");
    expect(await page.locator("#loops").textContent()).toContain("transform window");
    const chain = page.getByRole("region", { name: "the longest chain" }).locator("tbody tr");
    expect(await chain.locator("th").allTextContents()).toEqual(["a", "b"]);
    await page.close();
  });

  it("sorts, filters and compares by keyboard, and its address leads back to the same view", async () => {
    const { page } = await open(everything);
    const names = () => page.locator("#variants tbody th code").allTextContents();
    await page.locator("#variants thead button", { hasText: /^time/ }).focus();
    await page.keyboard.press("Enter");
    expect(await names()).toEqual(["fpga:sw2", "fpga:default", "fpga:sw0"]);
    await page.keyboard.press("Enter");
    expect(await names()).toEqual(["fpga:sw0", "fpga:default", "fpga:sw2"]);
    await page.getByRole("searchbox").fill("window=2");
    expect(await names()).toEqual(["fpga:sw2"]);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("radio", { name: "first to compare: fpga:default" }).check();
    await page.getByRole("radio", { name: "second to compare: fpga:sw2" }).check();
    expect(await page.locator("#compare").textContent()).toContain("-50 %, better");
    expect(await page.locator("#compare").textContent()).toContain("2 lines differ");
    const again = await open(everything, { hash: new URL(page.url()).hash });
    expect(await again.page.locator("#compare").textContent()).toContain("-50 %, better");
    expect(await again.page.locator("#variants tbody th code").allTextContents()).toEqual(await names());
    await page.close();
    await again.page.close();
  });

  it("draws an iteration by cycle, what the passes changed, and what was measured", async () => {
    const { page, troubles } = await open(everything);
    // A diagram is drawn when it is scrolled to.
    expect(await page.locator("#runs figure svg").count()).toBe(0);
    const schedule = page.locator("#schedule");
    expect(await schedule.locator("tbody tr:not(.group)").allTextContents()).toEqual([
      "ask for image ●000",
      "2fadd153",
      "store out880",
    ]);
    // Of 9 cycles: the addition from 1 to 5, and three more that it may wait.
    const style = (of: string) => schedule.locator(`tbody tr:has-text("fadd") ${of}`).getAttribute("style");
    expect(await style(".step")).toMatch(/left: 11\.1+%; width: 44\.4+%/);
    expect(await style(".slack")).toMatch(/left: 55\.5+\d*%; width: 33\.3+%/);
    const passes = page.locator("#passes");
    expect(await passes.locator("li strong").allTextContents()).toEqual(["window", "unroll"]);
    await passes.locator("summary").click();
    expect(await passes.locator(".diff .added").textContent()).toBe("+  window 3\n");
    const runs = page.locator("#runs");
    // 4e9 operations and 8e9 bytes in 10 ms, of 2e12 bytes a second; the serial program took 0.1 s, this one 25 ms.
    expect(await runs.textContent()).toMatch(/40\.0 %/);
    expect(await runs.locator("tbody tr", { hasText: "f_k0" }).textContent()).toContain("800 GB/s");
    expect(await runs.locator("tbody tr", { hasText: "f_k0" }).textContent()).toContain("400");
    expect(await runs.locator("tbody tr", { hasText: "fpga:default" }).first().textContent()).toContain(
      "4.00 x",
    );
    await runs.locator("figure").last().scrollIntoViewIfNeeded();
    await page.waitForSelector("#runs figure svg");
    const history = await page.locator("#history tbody tr").allTextContents();
    expect(history[0]).toMatch(/^fpga:default5\.00 ms6\.00 ms3\.00 ms-50 %, better/);
    await page.locator(".treemap a").click();
    expect(page.url()).toContain("at=source&file=a.c&line=2");
    expect(troubles).toEqual([]);
    await page.close();
  });

  it("has energy beside time: of variants in the table and the diagram, and counted of runs", async () => {
    const { page, troubles } = await open(everything, { hash: "#sort=energy&x=energy" });
    const variants = page.locator("#variants");
    expect(await variants.locator("tbody tr").first().textContent()).toContain("51.0 µJ");
    expect(await variants.textContent()).toContain("Energy of hardware is that of a model");
    expect(await variants.locator("select").last().inputValue()).toBe("energy");
    expect(await variants.locator("figcaption, svg[aria-label], figure").last().innerHTML()).toContain(
      "time against energy of 2 variants. On the front: fpga:default.",
    );
    const runs = page.locator("#runs");
    expect(await runs.locator("tbody tr").first().textContent()).toContain(
      "12.0 J11.0 J to 14.0 JNVML, ± 5.0 %",
    );
    expect(await runs.textContent()).toContain("Time and energy of small");
    expect(await runs.textContent()).toContain(
      "time against energy of 2 variants. On the front: fpga:default.",
    );
    // What the rows of kernels are of is said.
    expect(await runs.textContent()).toContain(
      "the run with device profiling whose time in launches is the median, 10.0 ms, of 3.",
    );
    expect(troubles).toEqual([]);
    await page.close();
  });

  it("draws what variants have where none has an area", async () => {
    const measured = everything.variants.map(({ totals: { seconds = 0 }, ...rest }, i) => ({
      ...rest,
      totals: { seconds, from: "program" as const, energy: 3 - i, resources: {}, percent: {} },
    }));
    const { page } = await open({ ...everything, variants: measured });
    expect(await page.locator("#variants select").last().inputValue()).toBe("energy");
    expect(await page.locator("#variants figure").last().innerHTML()).toContain(
      "time against energy of 3 variants",
    );
    await page.close();
  });

  it("carries its data as JSON, whatever the sources say", async () => {
    const { page } = await open(everything);
    const text = await page.locator("#arc-report").textContent();
    expect(JSON.parse(text as string)).toEqual(everything);
    await page.close();
  });

  it("shows ten thousand variants, a hundred at a time", async () => {
    const { page, troubles } = await open(large, { hash: "#sort=time" });
    expect(await page.locator("#variants tbody tr").count()).toBe(100);
    expect(await page.locator("#variants tbody tr").first().textContent()).toContain("fpga:sw0");
    // No table has more at first, and no diagram a circle for each: both take a browser seconds.
    for (const id of ["loops", "history", "verification", "runs"])
      expect(await page.locator(`#${id} table`).first().locator("tbody tr").count()).toBe(100);
    expect(await page.locator("#compare li").count()).toBe(100);
    expect(await page.locator("#variants figure circle, #variants figure path").count()).toBeLessThan(4000);
    expect(await page.locator("#variants").textContent()).toContain(
      "Of points that cover each other one is drawn.",
    );
    // What is wrong is not among the rows left out.
    expect(await page.locator("#verification tbody tr").first().textContent()).toContain("fpga:sw9000");
    await page
      .locator("#variants")
      .getByRole("button", { name: /show more/ })
      .click();
    expect(await page.locator("#variants tbody tr").count()).toBe(1100);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it("makes what is not seen first after the first frame, or before it is printed; what the address names at once", async () => {
    const file = path.join(folder, "waiting.html");
    writeFileSync(file, htmlReport(everything));
    const page = await browser.newPage();
    // A page in which no frame follows the first.
    await page.addInitScript(() => {
      globalThis.requestAnimationFrame = () => 0;
      globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
    });
    const headings = () => page.locator("h2").evaluateAll((all) => all.map(({ id }) => id));
    await page.goto(`file://${file}#at=history`);
    expect(await headings()).toEqual(["problems-title", "variants-title", "compare-title", "history-title"]);
    await page.goto("about:blank");
    await page.goto(`file://${file}`);
    expect(await headings()).toEqual(["problems-title", "variants-title"]);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect((await headings()).length).toBe(11);
    // Diagrams, too.
    expect(await page.locator("figure.plot").count()).toBe(5);
    expect(await page.locator("figure.plot:has(svg)").count()).toBe(5);
    expect(await page.locator(".treemap > *").count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.dataset.whole)).toBe("");
    await page.close();
  });

  it("is no larger than 500 kB beside its data", () => {
    const data = JSON.stringify(everything).length;
    expect(htmlReport(everything).length - data).toBeLessThan(500_000);
  });
});
