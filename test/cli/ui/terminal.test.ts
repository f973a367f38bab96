/** What a user at a terminal sees: `script` (util-linux) gives arc a real pseudo-terminal. */
import { describe, expect, it } from "vitest";
import { arcProgram, type Outcome, Rig } from "../rig.ts";

const slow = `arc: 1
project: p
actions:
  first: { run: [sh, -c, "sleep 0.5; echo hi"], outputs: [first], stdout: first }
  second: { run: [sh, -c, "echo the reason >&2; exit 7"], inputs: [first], outputs: [second] }
`;

function inTerminal(rig: Rig, command: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const sized = `stty rows 24 columns 80; ${command}; echo status $?`;
  return rig.run("script", ["-qec", sized, "/dev/null"], { env: { TERM: "xterm", ...env } });
}

describe("on a terminal", () => {
  it("shows running actions, and leaves the results and the summary", async () => {
    const { out } = await inTerminal(new Rig({ "arc.yaml": slow }), `'${arcProgram}' build`);
    expect(out).toMatch(/run .*sleep 0\.5/);
    expect(out).toMatch(/0 of 2 · 1 running/);
    const end = out.slice(out.indexOf("\u001b[?25h"));
    expect(end).toMatch(/arc:.*failed.*: 1 ran, 1 failed/);
    expect(end).not.toMatch(/running/);
    expect(out).toMatch(/the reason/);
    expect(out).toMatch(/status 1/);
  });

  it("draws nothing if all is up to date", async () => {
    const rig = new Rig({ "arc.yaml": slow });
    await rig.arc(["build", "first"]);
    const { out } = await inTerminal(rig, `'${arcProgram}' build first`);
    expect(out).not.toContain("\u001b[?25l");
    expect(out).toMatch(/1 up to date/);
  });

  it.each([
    ["TERM=dumb", { TERM: "dumb" }, ""],
    ["CI is set", { CI: "true" }, ""],
    ["CI is set to nothing, which Ink takes for yes", { CI: "" }, ""],
    ["CONTINUOUS_INTEGRATION is set", { CONTINUOUS_INTEGRATION: "1" }, ""],
    ["--plain is given", {}, "--plain"],
  ])("writes plain lines when %s", async (_, env, option) => {
    const { out } = await inTerminal(new Rig({ "arc.yaml": slow }), `'${arcProgram}' build ${option}`, env);
    expect(out).not.toContain("\u001b[?25l");
    expect(out).toMatch(/ran .*sleep 0\.5/);
  });
});
