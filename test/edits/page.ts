/** docs/edits.md, of what was counted. */
import type { Calls } from "./bench.ts";
import { awaited, type Edit, type EffectiveEdit, effective, harmless } from "./catalogue.ts";
import { allJobs, devices, type Job, jobs } from "./devices.ts";
import { ownEdits } from "./own-kernels.ts";
import { type Subject, subjects } from "./subjects.ts";

/** What was compiled after an edit, by subject. */
export type Found = Map<Edit, Map<string, Calls>>;

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map(line).join("\n");

const jobsOf = (subject: Subject): readonly Job[] =>
  allJobs.filter((job) => subject.devices.some((name) => name === jobs[job].device));

const concerns = ({ by }: EffectiveEdit, subject: Subject): boolean =>
  by.some((job) => jobsOf(subject).includes(job));

const rowsOf = (subject: Subject): readonly Edit[] => [
  ...harmless,
  ...effective.filter((edit) => concerns(edit, subject)),
];

function tableOf(subject: Subject, edits: readonly Edit[], found: Found): string {
  const all = jobsOf(subject);
  const rows = edits.map((edit) => {
    const calls = found.get(edit)?.get(subject.name);
    return [edit.name, ...all.map((job) => calls?.[job].length ?? "not run")];
  });
  return table(["edit", ...all], rows);
}

const sectionOf = (subject: Subject, found: Found): string => {
  const { name, kernels, images } = subject;
  const groups = JSON.stringify(images)?.replaceAll('"', "").replaceAll(",", ", ");
  const together =
    groups === undefined ? "all of them, in one image" : `those of one image: \`images: ${groups}\``;
  const matter = effective.filter((edit) => concerns(edit, subject));
  return `## ${name}

${kernels.length} kernels. An FPGA of Intel or AMD is configured with ${together}.

Edits after which no device compiler runs:

${tableOf(subject, harmless, found)}

Edits after which exactly the affected kernels are compiled again:

${tableOf(subject, matter, found)}
`;
};

/** Undefined: not all edits were made. */
export function page(found: Found, own: ReadonlyMap<string, number>): string | undefined {
  if (!ownEdits.every(({ name }) => own.has(name))) return undefined;
  const seen = (subject: Subject, edit: Edit): boolean => found.get(edit)?.has(subject.name) === true;
  if (!subjects.every((subject) => rowsOf(subject).every((edit) => seen(subject, edit)))) return undefined;
  const tools = allJobs.map((job) => {
    const { device, does, takes } = jobs[job];
    return [job, `\`${devices[device].kind}\``, does, takes];
  });
  return `# What edits cost

For everyone whose kernels take long to compile or synthesise. The tables show how many kernels arc compiles,
synthesises, places or routes again after each kind of edit.

For example, a changed comment starts no device compiler, and a changed constant in one kernel makes nvcc compile that
kernel alone.

How the figures are made: the test replaces device tools by stand-ins that log what they compile, and counts kernels in
that log. It never relies on arc's own messages. \`ARC_UPDATE=1 npx vitest run test/edits\` writes this page, and with
\`ARC_SLOW_TESTS=1\` the same test fails if the page is wrong.

How to read the tables: each column has the number of kernels that the tool handles again. After each edit of the second
tables, images, bitstreams and reports equal those of a build with an empty store. Clauses that only a launch or a
transfer needs change the name of a region. A GPU kernel carries that name and is compiled again. FPGA kernels are named
after their text, so their tools do not run.

${table(["column", "target kind", "called to", "takes"], tools)}

${subjects.map((subject) => sectionOf(subject, found)).join("\n")}
## Kernels of your own

There are 3 CUDA kernels, [compiled when the program is built](tasks.md#kernels-of-your-own): two in files of their own,
one of which includes a header, and one in the program's own file. Their text is used unchanged, including comments.

${table(
  ["edit", "nvcc"],
  ownEdits.map(({ name }) => [name, own.get(name) ?? "not run"]),
)}

## Not run

${table(
  ["edit", "why"],
  awaited.map(({ name, lacks }) => [name, lacks]),
)}
`;
}
