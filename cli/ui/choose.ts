/** Which way a call wants to see its build. */
import type { Call } from "../call/call.ts";
import { annotated } from "./annotations.ts";
import { jsonUi } from "./json.ts";
import { plainUi } from "./plain.ts";
import { terminalUi } from "./terminal.ts";
import type { Ui, UiContext } from "./ui.ts";

export function chooseUi(call: Call, context: UiContext): Ui {
  if (call.options.json === true) return jsonUi(call.out, context.root);
  const live = call.interactive && call.options.plain !== true;
  if (live) return terminalUi(context, process.stderr);
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE } = call.env;
  if (GITHUB_ACTIONS !== "true") return plainUi(context);
  return annotated(plainUi(context), { ...context, workspace: GITHUB_WORKSPACE ?? call.cwd });
}
