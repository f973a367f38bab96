/** Validates a document against the schema of arc.yaml. */
import type { Diagnostic } from "./document/diagnostic.ts";
import type { ArcDocument } from "./document/document.ts";
import type { JsonSchema } from "./document/json-schema.ts";
import { explainErrors } from "./explain.ts";
import { compileValidator } from "./validator.ts";

export function validateDocument(document: ArcDocument, schema: JsonSchema): readonly Diagnostic[] {
  const validate = compileValidator(schema);
  return validate(document.value()) ? [] : explainErrors(validate.errors ?? [], document);
}
