/** Parses `-target KIND:OPTION=VALUE` into a target as arc.yaml would declare it. */

import type { ProgramTarget } from "../../rules/plan/whole-program.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { KindSchema } from "../../schema/contract/arc-schema.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { parseProject } from "../../schema/load.ts";
import { UsageError } from "../call/usage-error.ts";

/** The targets of all `-target` options, one per kind. Throws UsageError. */
export function targetsOf(words: readonly string[]): readonly ProgramTarget[] {
  const targets = new Map<string, { readonly word: string; readonly target: ProgramTarget }>();
  for (const word of words) {
    const target = targetOf(word);
    const before = targets.get(target.kind);
    if (before && before.word !== word)
      throw new UsageError(
        `-target asks for ${before.word} and for ${word}`,
        "a program holds one image of a kind: name it once",
      );
    targets.set(target.kind, { word, target });
  }
  return [...targets.values()].map(({ target }) => target);
}

function targetOf(word: string): ProgramTarget {
  const [kind = "", ...assignments] = word.split(":");
  const { options: known, required = [] } = kindOf(kind);
  if (assignments.length === 0 && required.length === 0) return { kind, options: {} };
  const options = assignments.map((assignment) => {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(assignment) ?? [];
    if (name === undefined)
      throw new UsageError(
        `-target ${word}: ${assignment} has no value`,
        `write ${kind}:OPTION=VALUE, as in arc.yaml`,
      );
    // arc.yaml requires quotes for text that looks like a number; the shell has removed them.
    const text = known[name]?.type === "string" ? JSON.stringify(value) : value;
    return `    ${name}: ${text}\n`;
  });
  const yaml = `arc: 1\nproject: program\nsources: [main.c]\ntargets:\n  ${kind}:\n    kind: ${kind}\n${options.join("")}`;
  const { project, diagnostics } = parseProject(yaml, `-target ${word}`, vocabulary, () => true);
  const [target] = project?.targets ?? [];
  if (target) return { kind, options: target.options };
  const wrong = diagnostics.find(({ severity }) => severity === "error");
  throw new UsageError(`-target ${word}: ${wrong?.message ?? "cannot be read"}`, wrong?.remedy);
}

function kindOf(name: string): KindSchema {
  const { kinds } = vocabulary;
  const found = kinds.find(({ kind }) => kind === name);
  if (found) return found;
  const names = kinds.map(({ kind }) => kind);
  const near = nearest(name, names);
  const all = `-target takes ${names.join(", ")}`;
  throw new UsageError(
    `there is no target kind ${name}`,
    near === undefined ? all : `did you mean ${near}? ${all}`,
  );
}
