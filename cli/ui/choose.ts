/** Chooses how a call displays its build. */
import path from "node:path";
import { BuildRequests } from "../../core/build/schedule/requests.ts";
import type { Call } from "../call/call.ts";
import { annotated } from "./annotations.ts";
import { jsonUi } from "./json.ts";
import { keyboard } from "./keyboard.ts";
import { notifying } from "./notify.ts";
import { plainUi } from "./plain.ts";
import { terminalUi } from "./terminal.ts";
import type { Controls, Ui, UiContext } from "./ui.ts";

/** `requests`: how keys reach the build; absent if keys are not read. */
export function chooseUi(call: Call, context: UiContext, requests?: BuildRequests): Ui {
  const ui = viewOf(call, context, requests);
  return call.options.notify === true ? notifying(ui, call, path.basename(context.root)) : ui;
}

/** Commands that read keys; the others may start programs that read the terminal themselves. */
const WITH_KEYS: readonly string[] = ["build", "watch", "explore", "bench", "verify"];

/** Undefined if nobody can press keys. */
export function requestsOf({ interactive, options, command }: Call): BuildRequests | undefined {
  const isLive = interactive && options.plain !== true && options.json !== true;
  return isLive && WITH_KEYS.includes(command) ? new BuildRequests() : undefined;
}

const controlsOf = (requests: BuildRequests | undefined): Controls | undefined =>
  requests && {
    requests,
    keyboard: keyboard(),
    quit: () => process.kill(process.pid, "SIGINT"),
  };

function viewOf(call: Call, context: UiContext, requests: BuildRequests | undefined): Ui {
  if (call.options.json === true) return jsonUi(call.out, context.root);
  const live = call.interactive && call.options.plain !== true;
  if (live) return terminalUi(context, process.stderr, controlsOf(requests));
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE } = call.env;
  if (GITHUB_ACTIONS !== "true") return plainUi(context);
  return annotated(plainUi(context), { ...context, workspace: GITHUB_WORKSPACE ?? call.cwd });
}
