/** Names of actions: `target:variant[/kernel]#stage`, the same in every command and event. */
import type { Address } from "../../core/build/model/action.ts";

/**
 * Address of the action for one stage of a variant, a kernel, a source or a part of the runtime; `which` distinguishes
 * several of the same stage.
 */
export const addressOf = (owner: Address, stage: string, which?: string): Address =>
  `${owner}#${stage}${which === undefined ? "" : `-${which}`}`;

/** A run of a target's program, or of the `serial` one, by its name in arc.yaml. */
export const runAddress = (variant: Address, run: string): Address => addressOf(variant, "run", run);

/** The comparison of that run with the serial one. */
export const verifyAddress = (variant: Address, run: string): Address => addressOf(variant, "verify", run);
