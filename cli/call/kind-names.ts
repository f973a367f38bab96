/** Names of the kinds of target, the default first. What starts before the kinds are loaded is bundled with the names alone. */
import { vocabulary } from "../../rules/vocabulary.ts";

export const kindNames: readonly string[] = vocabulary.kinds.map(({ kind }) => kind);
