/**
 * A build in a process of its own, to be killed or recorded: `victim ROOT STORE [EDITS]`, after edits as JSON. Tells on
 * stdout what runs and what is done, one line each.
 */
import { closeSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkUpToDate } from "../../../../core/build/files/up-to-date.ts";
import { graph, open } from "./project.ts";

/** As editors write: overwriting the file after truncating it, or replacing it by another file. */
export interface Edit {
  readonly file: string;
  readonly text: string;
  readonly way: "into" | "anew" | "renamed";
}

const [root = "", store = "", edits = "[]"] = process.argv.slice(2);
process.chdir(root);

for (const { file, text, way } of JSON.parse(edits) as Edit[]) {
  const path = join(root, file);
  if (way === "into") {
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, text, 0);
    closeSync(descriptor);
  } else if (way === "anew") writeFileSync(path, text);
  else {
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  }
}

const engine = open(root, store);

function say(text: string): void {
  writeSync(1, `${text}\n`);
}

const options = {
  context: "victim",
  onEvent: (event: { type: string; address?: string; message?: string }) => {
    if (event.type === "running") say(`ran ${event.address}`);
    if (event.type === "done") say(`done ${event.address}`);
    if (event.type === "failed" || event.type === "warning") say(`${event.type} ${event.message}`);
  },
};

const check = checkUpToDate(`${root}/.arc`, "victim");
if (check.upToDate) say("up to date");
else {
  const result = (await engine.resume(check, options)) ?? (await engine.build(graph, options));
  say(result.ok ? "ok" : "not ok");
}
await engine.close();
