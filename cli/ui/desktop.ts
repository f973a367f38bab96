/** Desktop notifications. */
import { execa } from "execa";
import type { Call } from "../call/call.ts";

/**
 * Uses notify-send if it is installed. Otherwise the terminal: the bell, and OSC 9, which iTerm2, kitty, WezTerm and
 * others show as a notification and other terminals ignore.
 */
export async function notify({ env, err, interactive }: Call, text: string): Promise<void> {
  const quietly = { env, extendEnv: false, stdio: "ignore", timeout: 5000, reject: false } as const;
  if (!(await execa("notify-send", ["--app-name=arc", "arc", text], quietly)).failed) return;
  if (interactive) err(`\u001b]9;${text}\u0007\u0007`);
  else err(`arc: ${text}\n`);
}
