/** What the bundle is given of the schema of arc.yaml, for the kinds and axes of this build. */
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

/** A CommonJS module that checks a document. */
export const schemaValidatorCode = (): string => validatorCode(schema);
