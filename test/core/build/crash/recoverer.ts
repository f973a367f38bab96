/** Builds as after a restart of the machine: for each line `ROOT\tSTORE` on stdin a line of JSON, what failed. */
import { createInterface } from "node:readline";
import { checkUpToDate } from "../../../../core/build/files/up-to-date.ts";
import { graph, open } from "./project.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const [root = "", store = ""] = line.split("\t");
  const engine = open(root, store);
  const options = { context: "victim" };
  const failed: string[] = [];
  const check = checkUpToDate(`${root}/.arc`, "victim", undefined, root);
  if (!check.upToDate) {
    const onEvent = (event: { type: string; address?: string; message?: string }): void => {
      if (event.type === "failed") failed.push(`${event.message}`);
    };
    const result =
      (await engine.resume(check, { ...options, onEvent })) ??
      (await engine.build(graph, { ...options, onEvent }));
    if (!result.ok && failed.length === 0) failed.push("not ok");
  }
  await engine.close();
  console.log(JSON.stringify({ failed, isUpToDate: check.upToDate }));
}
