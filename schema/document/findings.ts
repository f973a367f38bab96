/** Collects diagnostics with positions in a document. */
import type { Diagnostic } from "./diagnostic.ts";
import type { ArcDocument, Path } from "./document.ts";
import { nearest } from "./nearest.ts";

export class Findings {
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: ArcDocument;

  constructor(document: ArcDocument) {
    this.#document = document;
  }

  error(at: Path, code: string, message: string, remedy?: string, why?: string): void {
    this.#add("error", this.#document.locationOf(at), code, message, remedy, why);
  }

  errorAtKey(at: Path, code: string, message: string, remedy?: string, why?: string): void {
    this.#add("error", this.#document.locationOfKey(at), code, message, remedy, why);
  }

  warn(at: Path, code: string, message: string, remedy?: string): void {
    this.#add("warning", this.#document.locationOf(at), code, message, remedy);
  }

  /** `word` should have been one of `known`. */
  unknown(at: Path, code: string, message: string, word: string, known: readonly string[]): void {
    this.error(at, code, message, alternatives(word, known));
  }

  unknownKey(at: Path, code: string, message: string, word: string, known: readonly string[]): void {
    this.errorAtKey(at, code, message, alternatives(word, known));
  }

  #add(
    severity: "error" | "warning",
    location: Pick<Diagnostic, "loc" | "end">,
    code: string,
    message: string,
    remedy?: string,
    why?: string,
  ): void {
    this.diagnostics.push({
      severity,
      code,
      message,
      ...location,
      ...(why === undefined ? {} : { why }),
      ...(remedy === undefined ? {} : { remedy }),
    });
  }
}

function alternatives(word: string, known: readonly string[]): string {
  const all =
    known.length === 0
      ? "there are none: declare it first"
      : `there are ${known.map((k) => `\`${k}\``).join(", ")}`;
  const near = nearest(word, known);
  return near === undefined ? all : `did you mean \`${near}\`? ${all}`;
}
