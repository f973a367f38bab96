/** Which way a call wants to see its build. */
import path from "node:path";
import type { Call } from "../call/call.ts";
import { annotated } from "./annotations.ts";
import { jsonUi } from "./json.ts";
import { notifying } from "./notify.ts";
import { plainUi } from "./plain.ts";
import { terminalUi } from "./terminal.ts";
import type { Ui, UiContext } from "./ui.ts";

export function chooseUi(call: Call, context: UiContext): Ui {
  const ui = viewOf(call, context);
  return call.options.notify === true ? notifying(ui, call, path.basename(context.root)) : ui;
}

function viewOf(call: Call, context: UiContext): Ui {
  if (call.options.json === true) return jsonUi(call.out, context.root);
  const live = call.interactive && call.options.plain !== true;
  if (live) return terminalUi(context, process.stderr);
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE } = call.env;
  if (GITHUB_ACTIONS !== "true") return plainUi(context);
  return annotated(plainUi(context), { ...context, workspace: GITHUB_WORKSPACE ?? call.cwd });
}
