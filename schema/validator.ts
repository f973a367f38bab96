/**
 * The function that validates a document. Compiling it takes a hundred times as long as running it, so bundles contain
 * it compiled instead of this file (see build.mjs).
 */
import { Ajv, type ValidateFunction } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "./document/json-schema.ts";

export function compileValidator(schema: JsonSchema): ValidateFunction {
  return newAjv().compile(schema);
}

/** The validator as code of a CommonJS module. */
export function validatorCode(schema: JsonSchema): string {
  const ajv = newAjv();
  return standaloneCode.default(ajv, ajv.compile(schema));
}

function newAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    inlineRefs: false,
    code: { source: true },
  });
  ajv.addKeyword("patternMeaning");
  return ajv;
}
