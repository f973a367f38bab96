/** Checks a document against the schema of arc.yaml. */
import { Ajv } from "ajv";
import type { Diagnostic } from "./diagnostic.ts";
import type { ArcDocument } from "./document.ts";
import { explainErrors } from "./explain.ts";
import type { JsonSchema } from "./json-schema.ts";

export function validateDocument(document: ArcDocument, schema: JsonSchema): readonly Diagnostic[] {
  const ajv = new Ajv({ allErrors: true, verbose: true, discriminator: true, allowUnionTypes: true });
  ajv.addKeyword("patternMeaning");
  const validate = ajv.compile(schema);
  return validate(document.value()) ? [] : explainErrors(validate.errors ?? [], document);
}
