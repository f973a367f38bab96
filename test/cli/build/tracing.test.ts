/** When a build is traced. */
import { afterEach, expect, test, vi } from "vitest";
import { tracing, untracedWords } from "../../../cli/build/tracing.ts";
import type { Call } from "../../../cli/call/call.ts";

const state = vi.hoisted(() => ({ program: "/arc/tracer" as string | undefined, status: "" }));
vi.mock("../../../core/build/native/native.ts", () => ({ tracerProgram: () => state.program }));
vi.mock("node:fs", () => ({ readFileSync: () => state.status }));

const ADMINISTRATOR = "NoNewPrivs:\t0\nCapEff:\t000001ffffffffff\n";
const USER = "NoNewPrivs:\t0\nCapEff:\t0000000000000000\n";
const CONFINED_USER = "NoNewPrivs:\t1\nCapEff:\t0000000000000000\n";

const call = (options: Record<string, boolean>, env: Record<string, string>): Call =>
  ({ options, env }) as unknown as Call;

afterEach(() => {
  state.program = "/arc/tracer";
});

test.each([
  ["in CI", {}, { CI: "true" }, ADMINISTRATOR, true],
  ["in CI, as a user who cannot gain rights", {}, { CI: "1" }, CONFINED_USER, true],
  ["in CI, as a user whose actions may call sudo", {}, { CI: "1" }, USER, false],
  ["in CI, where the system does not say", {}, { CI: "1" }, "", false],
  ["in CI, in a sandbox", { sandbox: true }, { CI: "1" }, ADMINISTRATOR, false],
  ["in CI, where it is switched off", {}, { CI: "1", ARC_TRACE_INPUTS: "0" }, ADMINISTRATOR, false],
  ["elsewhere", {}, { CI: "false" }, ADMINISTRATOR, false],
] as const)("without a word for it: %s", (_, options, env, status, isTraced) => {
  state.status = status;
  expect(tracing(call(options, env)).tracer?.budget !== undefined).toBe(isTraced);
});

test("a call that asks for it has every action traced, also in CI", () => {
  for (const option of ["trace-inputs", "declare-inputs"])
    expect(tracing(call({ [option]: true }, { CI: "1", ARC_TRACE_INPUTS: "0" }))).toEqual({
      tracer: { program: "/arc/tracer" },
    });
});

test("without the tracer only a call that asks for it fails", () => {
  state.program = undefined;
  state.status = ADMINISTRATOR;
  expect(tracing(call({}, { CI: "1" }))).toEqual({});
  expect(() => tracing(call({ "trace-inputs": true }, {}))).toThrow("the tracer was not compiled");
});

test("actions that were not traced are counted", () => {
  state.status = ADMINISTRATOR;
  const traced = tracing(call({}, { CI: "1" }));
  expect(untracedWords(traced)).toBe("");
  traced.tracer?.budget?.spent(0, 1);
  traced.tracer?.budget?.allows();
  expect(untracedWords(traced)).toContain("1 action that ran was not traced");
  traced.tracer?.budget?.allows();
  expect(untracedWords(traced)).toContain("2 actions that ran were not traced");
  expect(untracedWords({})).toBe("");
});
