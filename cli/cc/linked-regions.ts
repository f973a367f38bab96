/**
 * Whether a link takes objects with regions, though its own command asks for no directives. Build systems such as CMake
 * give `-fopenmp` to the compiler only, and OpenMP's library to the linker.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { keptUnitSection } from "../../rules/tools/kept-units.ts";
import type { CompilerCall, Word } from "./arguments.ts";

/** The same call; one that links regions takes libarcrt, too, and does not read its own sources' directives. */
export function withLinkedRegions(
  parsed: CompilerCall,
  cwd: string,
): CompilerCall & { readonly linksRegions: boolean } {
  const linksRegions =
    !parsed.directives && parsed.stage === "link" && filesOf(parsed.words, cwd).some(holdsRegions);
  const hostOpenMp = parsed.hostOpenMp || (linksRegions && parsed.words.some(isHostLibrary));
  return { ...parsed, hostOpenMp, linksRegions };
}

/** The library of a C compiler's own OpenMP: what it defines, libarcrt must not. */
const isHostLibrary = ({ text }: Word): boolean =>
  text.some((word) => /(^|\/|-l)(lib)?(gomp|omp|iomp5)(\.|$)/.test(word));

/** Objects and archives of a link, and archives that `-l` finds in the folders of `-L`. */
function filesOf(words: readonly Word[], cwd: string): readonly string[] {
  const values = (option: string) =>
    words.flatMap(({ kind, text: [first = "", second = ""] }) =>
      kind === "option" && first.startsWith(option) ? [first === option ? second : first.slice(2)] : [],
    );
  const inputs = words.flatMap(({ kind, text: [file = ""] }) =>
    kind === "input" && /\.(o|lo|obj|a)$/.test(file) ? [file] : [],
  );
  const libraries = values("-l").flatMap((name) =>
    values("-L").map((folder) => path.join(folder, `lib${name}.a`)),
  );
  return [...inputs, ...libraries].map((file) => path.resolve(cwd, file));
}

/** Every object that arc compiles with directives has this section, so that its name is in the table of sections. */
function holdsRegions(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false;
  return readFileSync(file).includes(`\0${keptUnitSection}\0`, 0, "latin1");
}
