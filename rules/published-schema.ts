/** What the bundle is given of arc.yaml's schema and of the kinds, for those of this build. */
import { arcSchema } from "../schema/contract/arc-schema.ts";
import { validatorCode } from "../schema/validator.ts";
import { vocabulary } from "./vocabulary.ts";

const schema = arcSchema(vocabulary.kinds, vocabulary.axes);

/** As editors read it. */
export function publishedSchema(): string {
  // `patternMeaning` is for our own messages.
  const replacer = (key: string, value: unknown): unknown => (key === "patternMeaning" ? undefined : value);
  return `${JSON.stringify(schema, replacer, 2)}\n`;
}

export const kindNames = vocabulary.kinds.map(({ kind }) => kind);

/** A CommonJS module that checks a document. */
export const schemaValidatorCode = (): string => validatorCode(schema);
