/** `-D` and `-U` of the program's compiler for a file of kernels: lines in front of it, as its text travels alone. */

/** These say what the host's compiler honours, and a kernel's compiler honours no directives. */
const ofDirectives = new Set(["_OPENMP", "_OPENACC"]);

const isNamed = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);

/**
 * The lines for those macros of the options that the text names: whatever else the options say does not change the text, and
 * with it the key of what is compiled.
 */
export function macroLines(options: readonly string[], text: string): string {
  const lines: string[] = [];
  for (let i = 0; i < options.length; i++) {
    const [, letter, beside = ""] = /^-([DU])(.*)$/s.exec(options[i] ?? "") ?? [];
    if (letter === undefined) continue;
    const said = beside || (options[++i] ?? "");
    const [, name = "", parameters = "", value] = /^([\w$]+)(\([^)]*\))?(?:=(.*))?$/s.exec(said) ?? [];
    if (!name || ofDirectives.has(name) || !isNamed(name, text)) continue;
    lines.push(letter === "U" ? `#undef ${name}\n` : `#define ${name}${parameters} ${value ?? "1"}\n`);
  }
  return lines.join("");
}
