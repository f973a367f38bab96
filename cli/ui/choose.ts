/** Which way a call wants to see its build. */
import type { Call } from "../call/call.ts";
import { jsonUi } from "./json.ts";
import { plainUi } from "./plain.ts";
import { terminalUi } from "./terminal.ts";
import type { Ui, UiContext } from "./ui.ts";

export function chooseUi(call: Call, context: UiContext): Ui {
  if (call.options.json === true) return jsonUi(call.out, context.root);
  const live = call.interactive && call.options.plain !== true;
  return live ? terminalUi(context, process.stderr) : plainUi(context);
}
