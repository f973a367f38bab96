/**
 * results.mjs survivors RESULT: the places of what survived, as Stryker takes them, with commas between.
 * results.mjs stands RESULT: succeeds if RESULT is about the code as it is now.
 * results.mjs table RESULT..: scores by file and what survived. A result in `passes` is read with that in `passes-compiled`.
 */
import { existsSync, readFileSync } from "node:fs";

const read = (file) => JSON.parse(readFileSync(file, "utf8")).files;
const survived = ({ status }) => status === "Survived" || status === "NoCoverage";
const place = ({ location: { start, end } }) =>
  `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
const same = (a) => (b) => place(a) === place(b) && a.replacement === b.replacement;

const commands = {
  survivors: ([result]) =>
    Object.entries(read(result))
      .flatMap(([file, { mutants }]) => mutants.filter(survived).map((m) => `${file}:${place(m)}`))
      .join(","),
  stands: ([result]) => {
    const current = Object.entries(read(result)).every(
      ([file, { source }]) => existsSync(file) && readFileSync(file, "utf8") === source,
    );
    if (!current) process.exit(1);
    return "";
  },
  table: (results) =>
    results
      .flatMap((result) => {
        const again = result.replace("/passes/", "/passes-compiled/");
        const later = existsSync(again) ? Object.values(read(again)).flatMap(({ mutants }) => mutants) : [];
        return Object.entries(read(result)).map(([file, { mutants, source }]) => {
          const counted = mutants.filter(
            ({ status }) => !["Ignored", "CompileError", "RuntimeError"].includes(status),
          );
          const left = counted.filter((m) => survived(m) && survived(later.find(same(m)) ?? m));
          const score = (100 * (counted.length - left.length)) / counted.length;
          const lines = source.split("\n");
          return [
            `${score.toFixed(0)} % of ${counted.length} ${file}`,
            ...left.map(
              (m) =>
                `  ${m.location.start.line}:${m.location.start.column} ${m.mutatorName}: ${lines[m.location.start.line - 1].trim()}  =>  ${m.replacement}`,
            ),
          ].join("\n");
        });
      })
      .join("\n"),
};

const [command, ...args] = process.argv.slice(2);
console.log(commands[command](args));
