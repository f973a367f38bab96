/**
 * Options of steps by their types: what makes an action and what runs it agree on them. The engine keeps them as JSON,
 * which plain data is already: this is the only place where one is taken for the other.
 */
import type { Action, Json, JsonObject } from "../../core/build/model/action.ts";

/** What JSON keeps as it is. Values of arc.yaml, whose types its schema knows, are it anyway. */
type Plain<T> = unknown extends T
  ? T
  : T extends Json | undefined
    ? T
    : T extends bigint | symbol | ((...args: never[]) => unknown)
      ? never
      : { readonly [K in keyof T]: Plain<T[K]> };

export interface OptionsCodec<T> {
  /** As an action carries them. */
  write(options: Plain<T>): JsonObject;
  read(action: Pick<Action, "options">): T;
}

/** The options of one step. An action may carry those of several, each under keys of its own. */
export const optionsOf = <T extends object>(): OptionsCodec<T> => ({
  write: (options) => ({ ...options }) as unknown as JsonObject,
  read: ({ options }) => (options ?? {}) as unknown as T,
});
