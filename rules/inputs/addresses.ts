/** Names of actions: `target:variant[/kernel]#stage`, the same in every command and event. */
import type { Address } from "../../core/build/model/action.ts";

/**
 * Of a variant, a kernel, a source or a part of the runtime, the action that does one step of its way; `which` tells
 * several that do the same for it apart.
 */
export const addressOf = (owner: Address, stage: string, which?: string): Address =>
  `${owner}#${stage}${which === undefined ? "" : `-${which}`}`;

/** A run of a program, of the target's or of the `serial` one, by its name in arc.yaml. */
export const runAddress = (variant: Address, run: string): Address => addressOf(variant, "run", run);

/** What compares that run with the serial one. */
export const verifyAddress = (variant: Address, run: string): Address => addressOf(variant, "verify", run);
