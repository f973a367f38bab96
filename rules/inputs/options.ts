/**
 * Typed options of steps, so that the code that makes an action and the code that runs it agree. The engine stores them
 * as JSON, which plain data already is; only this module converts between the two types.
 */
import type { Action, Json, JsonObject } from "../../core/build/model/action.ts";

/** Types that JSON preserves. Values of arc.yaml (`unknown` here) are checked by the schema and always JSON. */
type Plain<T> = unknown extends T
  ? T
  : T extends Json | undefined
    ? T
    : T extends bigint | symbol | ((...args: never[]) => unknown)
      ? never
      : { readonly [K in keyof T]: Plain<T[K]> };

interface OptionsCodec<T> {
  /** The options in the form that actions store. */
  write(options: Plain<T>): JsonObject;
  read(action: Pick<Action, "options">): T;
}

/** The options of one step. An action may carry options of several steps under different keys. */
export const optionsOf = <T extends object>(): OptionsCodec<T> => ({
  write: (options) => ({ ...options }),
  read: ({ options }) => (options ?? {}) as T,
});
