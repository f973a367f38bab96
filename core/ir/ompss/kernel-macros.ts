/**
 * `-D` and `-U` options of the program's compiler, as lines in front of a kernel file's text, which is compiled
 * separately.
 */

/** These describe the host's compiler; a kernel's compiler supports no directives. */
const ofDirectives = new Set(["_OPENMP", "_OPENACC"]);

const isNamed = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);

/**
 * The lines for those macros of the options that the text mentions. Other options must not change the text, and so the
 * key of its compilation.
 */
export function macroLines(options: readonly string[], text: string): string {
  const lines: string[] = [];
  for (let i = 0; i < options.length; i++) {
    const [, letter, beside = ""] = /^-([DU])(.*)$/s.exec(options[i] ?? "") ?? [];
    if (letter === undefined) continue;
    const definition = beside || (options[++i] ?? "");
    const [, name = "", parameters = "", value] = /^([\w$]+)(\([^)]*\))?(?:=(.*))?$/s.exec(definition) ?? [];
    if (!name || ofDirectives.has(name) || !isNamed(name, text)) continue;
    lines.push(letter === "U" ? `#undef ${name}\n` : `#define ${name}${parameters} ${value ?? "1"}\n`);
  }
  return lines.join("");
}
