/** Rules of make as C compilers write them for one file (`-MD`). */

/** What separates names, what compilers escape, and all else. */
const PARTS = / (?:\\\n *)?|(\\+)([ \t#])|\\+|\$\$|[^\\]/g;

/**
 * The prerequisites of a text's only rule. In names a space or tab stands behind a backslash, and backslashes in front of
 * that are doubled; `#` stands behind one more backslash, and `$` is doubled. All other characters stand as they are, also
 * line feeds.
 */
export function prerequisites(text: string): readonly string[] {
  const names: string[] = [];
  let name = "";
  const end = (): void => {
    if (name !== "") names.push(name);
    name = "";
  };
  for (const [part, backslashes = "", escaped] of text.slice(text.indexOf(":") + 1).matchAll(PARTS)) {
    const count = backslashes.length;
    if (part.startsWith(" ")) end();
    else if (part === "$$") name += "$";
    else if (escaped === "#") name += `${backslashes.slice(1)}#`;
    else if (escaped !== undefined && count % 2 === 1) name += backslashes.slice(0, count >> 1) + escaped;
    else if (escaped === " ") {
      name += backslashes;
      end();
    } else name += part;
  }
  name = name.replace(/\n$/, "");
  end();
  return names;
}
