/**
 * Parts of pages in docs/ that commands write. Each stands between two comments; the first says which command, from which
 * files, and has a digest of these and of the text, so that nobody has to run the command to see that the part is stale or
 * was edited by hand (test/docs.test.ts):
 *
 *   <!-- made by `node test/bench/explore/run.mjs --write` from cli/explore test/bench/explore: 0123456789abcdef -->
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const docs = path.join(root, "docs");
const begin = /<!-- made by `([^`]+)` from ([^:]+): ([0-9a-f]{16}|new) -->\n/g;
const end = "<!-- made -->\n";

/** Every part: its page, command, files, the digest that it has and the one that it should have. */
export function madeParts() {
  return readdirSync(docs)
    .filter((file) => file.endsWith(".md"))
    .sort()
    .flatMap((page) => {
      const whole = readFileSync(path.join(docs, page), "utf8");
      return [...whole.matchAll(begin)].map(([head, command, inputs, digest]) => {
        const from = whole.indexOf(head) + head.length;
        const to = whole.indexOf(end, from);
        if (to < 0) throw new Error(`docs/${page}: what \`${command}\` made has no end: ${end.trim()}`);
        const text = whole.slice(from, to);
        return {
          page,
          command,
          inputs: inputs.split(" "),
          digest,
          text,
          right: digestOf(inputs.split(" "), text),
        };
      });
    });
}

/** Puts a text in place of what the command made before. */
export function writeMade(command, text) {
  const part = madeParts().find((one) => one.command === command);
  if (part === undefined) throw new Error(`no page in docs/ has a part made by \`${command}\``);
  const file = path.join(docs, part.page);
  const head = (digest) => `<!-- made by \`${command}\` from ${part.inputs.join(" ")}: ${digest} -->\n`;
  const before = `${head(part.digest)}${part.text}`;
  const after = `${head(digestOf(part.inputs, text))}${text}`;
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(before, () => after),
  );
}

/** Of files, and of all files in folders; a comment or a line break in TypeScript or JavaScript changes nothing. */
function digestOf(inputs, text) {
  const hash = createHash("sha256").update(text);
  for (const input of inputs) {
    const place = path.join(root, input);
    const files = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath, entry.name))
          .sort()
      : [place];
    for (const file of files) hash.update(path.relative(root, file)).update(contentOf(file));
  }
  return hash.digest("hex").slice(0, 16);
}

function contentOf(file) {
  const [, loader] = /\.m?([jt]sx?)$/.exec(file) ?? [];
  const bytes = readFileSync(file);
  return loader === undefined
    ? bytes
    : transformSync(bytes.toString(), { loader, minifyWhitespace: true, legalComments: "none" }).code;
}
