/** The JSON Schema of arc.yaml as editors read it: for the kinds and axes of this build. */
import { arcSchema } from "../schema/arc-schema.ts";
import { vocabulary } from "./vocabulary.ts";

export function publishedSchema(): string {
  // `patternMeaning` is for our own messages.
  const replacer = (key: string, value: unknown): unknown => (key === "patternMeaning" ? undefined : value);
  return `${JSON.stringify(arcSchema(vocabulary.kinds, vocabulary.axes), replacer, 2)}\n`;
}
