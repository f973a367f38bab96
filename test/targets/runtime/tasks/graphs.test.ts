/**
 * Random programs of tasks leave what the same programs leave that run one task after the other, and the thread
 * sanitizer sees no two tasks at the same memory. `ARC_PROPERTIES=100:7` tries 10 000 of them, from another seed.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, runtime, Workshop } from "../harness.ts";

const shop = new Workshop();
afterAll(() => shop.remove());

const sources = ["tasks", "report"].flatMap((folder) =>
  readdirSync(join(runtime, "src", folder))
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(runtime, "src", folder, name)),
);

function program(...flags: string[]): string {
  const out = shop.path(`graphs${flags.join("")}`);
  const graphs = resolve(import.meta.dirname, "random_graphs.c");
  const includes = [`-I${runtime}/include`, `-I${runtime}/src`];
  const options = ["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror"];
  const built = execute([
    "gcc",
    ...options,
    ...flags,
    ...includes,
    graphs,
    ...sources,
    "-o",
    out,
    "-lpthread",
  ]);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  return out;
}

describe("tasks wait for those whose data they use", () => {
  const threads = program("-fsanitize=thread");
  const addresses = program("-fsanitize=address,undefined", "-fno-sanitize-recover=all");
  const machines = ["locality", "breadth-first", "priority"].flatMap((policy) =>
    ["1", "2", "5"].map((count): [string, string] => [policy, count]),
  );
  const { numRuns, seed } = cases(100);
  const each = Math.ceil(numRuns / machines.length);

  it.each(machines)("policy %s with %s threads", { timeout: 600_000 }, (policy, count) => {
    const env = { ARC_TASK_POLICY: policy, ARC_NUM_THREADS: count };
    const first = 1 + 1_000_003 * seed + each * machines.findIndex(([p, c]) => p === policy && c === count);
    expect(execute([threads, `${first}`, `${each}`], { env })).toMatchObject({
      stdout: "right\n",
      stderr: "",
    });
    expect(execute([addresses, `${first}`, `${each}`], { env })).toMatchObject({
      stdout: "right\n",
      stderr: "",
    });
  });

  it("a policy that there is not is refused", () => {
    const { code, stderr } = execute([addresses, "1", "1"], { env: { ARC_TASK_POLICY: "random" } });
    expect(code).toBe(1);
    expect(stderr).toContain("error[unknown-policy]: task: ARC_TASK_POLICY is 'random', which is no policy");
  });
});
