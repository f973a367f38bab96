/** arc.yaml's schema and its validator for the kinds of this build, as the bundle contains them. */
import { arcSchema } from "../schema/contract/arc-schema.ts";
import { validatorCode } from "../schema/validator.ts";
import { vocabulary } from "./vocabulary.ts";

const schema = arcSchema(vocabulary.kinds, vocabulary.axes);

/** The schema for editors. */
export function publishedSchema(): string {
  // `patternMeaning` is only for arc's own messages.
  const replacer = (key: string, value: unknown): unknown => (key === "patternMeaning" ? undefined : value);
  return `${JSON.stringify(schema, replacer, 2)}\n`;
}

export const kindNames = vocabulary.kinds.map(({ kind }) => kind);

/** Code of a CommonJS module that validates a document. */
export const schemaValidatorCode = (): string => validatorCode(schema);
