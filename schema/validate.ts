/** Checks a document against the schema of arc.yaml. */
import type { Diagnostic } from "./diagnostic.ts";
import type { ArcDocument } from "./document.ts";
import { explainErrors } from "./explain.ts";
import type { JsonSchema } from "./json-schema.ts";
import { compileValidator } from "./validator.ts";

export function validateDocument(document: ArcDocument, schema: JsonSchema): readonly Diagnostic[] {
  const validate = compileValidator(schema);
  return validate(document.value()) ? [] : explainErrors(validate.errors ?? [], document);
}
