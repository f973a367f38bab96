/**
 * Names of the target kinds, the default first. Code that starts before the kinds are loaded is bundled with only these
 * names.
 */
import { vocabulary } from "../../rules/vocabulary.ts";

export const kindNames: readonly string[] = vocabulary.kinds.map(({ kind }) => kind);
