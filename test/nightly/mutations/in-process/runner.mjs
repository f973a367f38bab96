/**
 * Runs tests within Stryker's worker: they are loaded once, and a change is switched on while those run that reach it. Vitest
 * loads the compiler anew for each change, which takes a hundred times as long.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

globalThis.__stryker__ ??= {};
const stryker = globalThis.__stryker__;

async function failure(body) {
  try {
    await body();
    return undefined;
  } catch (problem) {
    return String(problem?.message ?? problem);
  }
}

class InProcess {
  tests = new Map();

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const bundle = path.resolve("test/nightly/mutations/in-process/bundle.generated.mjs");
    ({ tests: this.tests } = await import(pathToFileURL(bundle).href));
  }

  async dryRun() {
    const results = [];
    for (const [name, body] of this.tests) {
      stryker.currentTestId = name;
      const start = performance.now();
      const failureMessage = await failure(body);
      const timeSpentMs = performance.now() - start;
      const status = failureMessage === undefined ? 0 : 1;
      results.push({ id: name, name, timeSpentMs, status, ...(status && { failureMessage }) });
    }
    stryker.currentTestId = undefined;
    return { status: "complete", tests: results, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter = [...this.tests.keys()], hitLimit }) {
    stryker.activeMutant = activeMutant.id;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    let nrOfTests = 0;
    try {
      for (const name of testFilter) {
        nrOfTests++;
        const failureMessage = await failure(this.tests.get(name));
        if (failureMessage !== undefined)
          return { status: "killed", killedBy: [name], failureMessage, nrOfTests };
      }
      return { status: "survived", nrOfTests };
    } finally {
      stryker.activeMutant = undefined;
    }
  }
}

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", factory: () => new InProcess() }];
