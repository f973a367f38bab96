/**
 * Runs the test files that its arguments name, or all, and prints `PASSED FAILED` as its last line. What fails in a run of
 * all is tried once more by itself: beside a thousand other processes a test may run out of time. Such a test is named.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than so many failures are no bad luck. */
const FEW = 5;

const folder = mkdtempSync(join(tmpdir(), "arc-tests-"));
const report = join(folder, "report.json");

function vitest(...args) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  spawnSync("node_modules/.bin/vitest", ["run", ...reporters, ...args], { stdio: ["ignore", 2, 2] });
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  } finally {
    rmSync(report, { force: true });
  }
}

const passed = ({ numPassedTests = 0 }) => numPassedTests;
/** A file that cannot be loaded has no tests that could fail. */
const failed = ({ numFailedTests = 0, success }) => Math.max(numFailedTests, success === true ? 0 : 1);
const failing = ({ testResults = [] }) => testResults.filter((file) => file.status === "failed");
const testsOf = (files, status) =>
  files.flatMap((file) => file.assertionResults).filter((test) => test.status === status);

const named = process.argv.slice(2);
const all = vitest(...named);
let counts = [passed(all), failed(all)];
const files = failing(all);
if (named.length === 0 && files.length > 0 && counts[1] <= FEW) {
  const again = vitest("--no-file-parallelism", ...files.map((file) => file.name));
  const still = new Set(testsOf(failing(again), "failed").map((test) => test.fullName));
  for (const { fullName } of testsOf(files, "failed"))
    console.error(
      `${still.has(fullName) ? "failed twice" : "failed at first, and passed by itself"}: ${fullName}`,
    );
  counts = [counts[0] - testsOf(files, "passed").length + passed(again), failed(again)];
}
rmSync(folder, { recursive: true, force: true });
console.log(counts.join(" "));
