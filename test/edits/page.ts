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

${kernels.length} kernels; FPGAs of Intel and AMD are configured with ${together}.

No device compiler runs:

${tableOf(subject, harmless, found)}

Exactly the affected kernels are compiled again:

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

Kernels that are compiled, synthesised, placed or routed again after an edit: counted in the log of stand-ins for the
tools of devices, never from arc's own words. Made by \`ARC_UPDATE=1 npx vitest run test/edits\`; the same test fails
where this page is wrong.

After each edit of the second tables images, bitstreams and reports are those of a build with an empty store. Clauses
that only a launch or a transfer needs change the name of a region: a kernel of a GPU has that name, too, and is
compiled again; what tools of FPGAs get is called after its text.

${table(["column", "target kind", "called to", "takes"], tools)}

${subjects.map((subject) => sectionOf(subject, found)).join("\n")}
## Kernels of your own

3 kernels in CUDA, [compiled when the program is built](tasks.md#kernels-of-your-own): two files, one of which includes a
header, and one kernel in the program's own file. Their text is taken as it is, comments and all.

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
