/**
 * What edits cost: every edit of the catalogue is made to examples, and the calls of the device compilers are
 * counted in the log that stand-ins for these compilers write. ARC_UPDATE=1 writes the tables to docs/edits.md.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Rig } from "../cli/rig.ts";
import {
  type Edit,
  effective,
  type Files,
  harmless,
  type Job,
  jobs,
  project,
  type Subject,
  subjects,
  type Tool,
  tools,
  type Versions,
} from "./catalogue.ts";

const top = path.resolve(import.meta.dirname, "../..");
const page = path.join(top, "docs/edits.md");
/** In the versions that the stand-ins tell: no result of another run can be taken for one of this. */
const run = randomUUID();

/** Writes a digest of its source and arguments where a compiler would write code, and a line to the log. */
const standIn = (name: Tool, version: string, log: string): string => `case $1 in
  --version|-version) echo "${name} ${version} (stand-in, ${run})"; exit 0 ;;
  -rtl) job="${name} -rtl" ;;
  *) job=${name}; out=$(echo " $* " | sed -n 's/.* -o \\([^ ]*\\) .*/\\1/p') ;;
esac
for argument; do case $argument in kernel.c*) source=$argument; break ;; esac; done
kernel=$(grep -o '[a-z][a-z_]*_[0-9a-f]\\{8\\}(' "$source" | sed 's/_[0-9a-f]*($//' | sort -u | tr '\\n' ' ')
echo "$job: $kernel" >> ${log}
[ -z "$out" ] || { cat "$source"; echo "$*"; echo "${version}"; } | sha256sum > "$out"
`;

/** The function of each kernel that a tool was called for. */
type Calls = Readonly<Record<Job, readonly string[]>>;

/** What jobs do for changed kernels: an image of an FPGA holds many kernels, so one changes all of these. */
const calls = (
  { kernels, images = [kernels] }: Subject,
  changed: readonly string[],
  by: readonly Job[],
): Calls => {
  const together = images.filter((image) => image.some((kernel) => changed.includes(kernel))).flat();
  const of = (job: Job): readonly string[] =>
    by.includes(job) ? [...(job === "nvcc" ? changed : together)].sort() : [];
  return { nvcc: of("nvcc"), "aoc -rtl": of("aoc -rtl"), aoc: of("aoc") };
};

interface Build {
  readonly calls: Calls;
  /** The digest of each image. */
  readonly images: Readonly<Record<string, string>>;
}

class Bench {
  readonly rig: Rig;
  readonly #log: string;
  #read = 0;

  constructor(files: Files, versions: Versions, store: "own" | "shared") {
    this.rig = new Rig(files, store);
    this.#log = path.join(this.rig.root, "calls");
    writeFileSync(this.#log, "");
    for (const tool of tools) this.install(tool, versions[tool]);
  }

  install(tool: Tool, version: string): void {
    this.rig.tool(tool, standIn(tool, version, this.#log));
  }

  async build(what: readonly string[]): Promise<Build> {
    const { status, err } = await this.rig.arc(["build", ...what]);
    expect(status, err).toBe(0);
    const lines = readFileSync(this.#log, "utf8").split("\n").filter(Boolean);
    const fresh = lines.slice(this.#read).map((line) => line.split(": "));
    this.#read = lines.length;
    const of = (job: Job): readonly string[] =>
      fresh
        .flatMap(([name, kernels = ""]) => (name === job ? kernels.split(" ") : []))
        .filter(Boolean)
        .sort();
    return {
      calls: { nvcc: of("nvcc"), "aoc -rtl": of("aoc -rtl"), aoc: of("aoc") },
      images: this.#images(),
    };
  }

  #images(): Readonly<Record<string, string>> {
    const images = this.rig.list().filter((name) => /\/default\/.*\.arci$/.test(name));
    const digest = (file: string): string =>
      createHash("sha256")
        .update(readFileSync(path.join(this.rig.folder, file)))
        .digest("hex");
    return Object.fromEntries(images.map((file) => [file, digest(file)]));
  }
}

const before = { nvcc: "12.4", aoc: "21.2" };
const programs = ["gpu", "fpga"];
const images = ["gpu:default#images", "fpga:default#images"];

/** What was compiled after an edit, by subject. */
const rows = new Map<Edit, Map<string, Calls>>();

/** A project that is built; edits are made to it one after the other, each to the original. */
class Edited {
  readonly #subject: Subject;
  readonly #files: Files;
  readonly #bench: Bench;

  constructor(subject: Subject) {
    const { name } = subject;
    this.#subject = subject;
    this.#files = project(
      subject,
      readFileSync(path.join(top, "examples", name, "src", `${name}.c`), "utf8"),
    );
    this.#bench = new Bench(this.#files, before, "shared");
  }

  first(): Promise<Build> {
    return this.#bench.build(programs);
  }

  /** Builds `what` after the edit, and takes the edit back; `fresh` builds the images from nothing. */
  async after(edit: Edit, what: readonly string[]): Promise<{ built: Build; fresh: () => Promise<Build> }> {
    const edited = edit.edit(this.#files, this.#subject);
    const versions = edit.upgrade === undefined ? before : { ...before, [edit.upgrade]: "99.1" };
    this.#put(edited, this.#files, versions);
    try {
      const built = await this.#bench.build(what);
      const row = rows.get(edit) ?? new Map<string, Calls>();
      rows.set(edit, row.set(this.#subject.name, built.calls));
      return { built, fresh: () => new Bench(edited, versions, "own").build(images) };
    } finally {
      this.#put(this.#files, edited, before);
    }
  }

  #put(files: Files, old: Files, versions: Versions): void {
    for (const name of Object.keys(old)) if (!(name in files)) this.#bench.rig.remove(name);
    for (const [name, text] of Object.entries(files))
      if (old[name] !== text) this.#bench.rig.write(name, text);
    for (const tool of tools) this.#bench.install(tool, versions[tool]);
  }
}

describe.each(subjects)("$name", (subject) => {
  const edited = new Edited(subject);

  it("is compiled by the device compilers, kernel by kernel, at first", async () => {
    expect((await edited.first()).calls).toEqual(calls(subject, subject.kernels, jobs));
  });

  describe("no device compiler runs after", () => {
    for (const edit of harmless) {
      it(edit.name, async () => {
        const { built } = await edited.after(edit, programs);
        expect(built.calls).toEqual(calls(subject, [], []));
      });
    }
  });

  describe("exactly the affected kernels are compiled again, to what an empty store gives, after", () => {
    for (const edit of effective) {
      it(edit.name, async () => {
        const { built, fresh } = await edited.after(edit, images);
        expect(built.calls).toEqual(calls(subject, edit.kernels?.(subject) ?? [], edit.by ?? []));
        expect((await fresh()).images).toEqual(built.images);
      });
    }
  });
});

const table = (edits: readonly Edit[]): string => {
  const cell = (edit: Edit, subject: Subject, job: Job): string => {
    const found = rows.get(edit)?.get(subject.name)?.[job];
    return found === undefined ? "not run" : `${found.length} of ${subject.kernels.length}`;
  };
  const head = subjects.flatMap(({ name }) => jobs.map((job) => `${name}, ${job}`));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["edit", ...head]),
    line(["---", ...head.map(() => "---")]),
    ...edits.map((edit) =>
      line([edit.name, ...subjects.flatMap((subject) => jobs.map((job) => cell(edit, subject, job)))]),
    ),
  ].join("\n");
};

const text = (): string => `# What edits cost

Kernels compiled again after an edit, of all kernels of an example: counted in the log of stand-ins for nvcc and
Intel's aoc (\`-rtl\` is its report, minutes; the other its bitstream, hours), never from arc's own words. Made by
\`ARC_UPDATE=1 npx vitest run test/edits\`; the same test fails where this page is wrong.

No device compiler runs:

${table(harmless)}

Exactly the affected kernels are compiled again, and the images are those of a build with an empty store. A GPU loads
each kernel by itself; an FPGA is configured with all kernels of jacobi, in one image. For srad arc.yaml says
\`images: ${JSON.stringify(subjects[1]?.images).replaceAll('"', "").replaceAll(",", ", ")}\`:

${table(effective)}
`;

// A narrowed run has not seen all edits.
afterAll(() => {
  if (![...harmless, ...effective].every((edit) => rows.get(edit)?.size === subjects.length)) return;
  if (process.env.ARC_UPDATE === "1") writeFileSync(page, text());
  expect(readFileSync(page, "utf8"), "docs/edits.md is out of date: ARC_UPDATE=1").toBe(text());
});
