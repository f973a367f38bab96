/**
 * What edits cost: every edit of the catalogue is made to examples, and the calls of the device compilers are
 * counted in the log that stand-ins for these compilers write. ARC_UPDATE=1 writes the tables to docs/edits.md.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { slow } from "../sampled.ts";
import { Bench, type Build, type Calls, callsBy } from "./bench.ts";
import { type Edit, type EffectiveEdit, effective, harmless } from "./catalogue.ts";
import { allJobs, devices, type Job, jobs, type Name, tools, type Versions } from "./devices.ts";
import { OwnKernels, ownEdits } from "./own-kernels.ts";
import { type Found, page } from "./page.ts";
import { config, type Files, project, type Subject, subjects } from "./subjects.ts";

const file = path.resolve(import.meta.dirname, "../../docs/edits.md");
/** Results of other runs must not be used. */
const run = randomUUID();

const before = Object.fromEntries(tools.map((tool) => [tool, "1.0"])) as unknown as Versions;

/** What jobs do for changed kernels: an image of an FPGA holds many kernels, so one changes all of these. */
const calls = (subject: Subject, changed: readonly string[], by: readonly Job[]): Calls => {
  const { kernels, images = [kernels], devices } = subject;
  const together = images.filter((image) => image.some((kernel) => changed.includes(kernel))).flat();
  return callsBy((job) => {
    const { device, each } = jobs[job];
    if (!by.includes(job) || !devices.includes(device)) return [];
    return each === "image" ? together : changed;
  });
};

const addresses = (names: readonly Name[]): readonly string[] =>
  names.flatMap((name) => devices[name].addresses);

const found: Found = new Map();

/** A project that is built; edits are made to it one after the other, each to the original. */
class Edited {
  readonly #subject: Subject;
  readonly #files: Files;
  readonly #bench: Bench;
  #fresh: Promise<Build> | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#files = project(subject);
    this.#bench = new Bench(this.#files, before, run, "shared");
  }

  /** With all programs. */
  first(): Promise<Build> {
    return this.#bench.build(this.#subject.devices);
  }

  /** Builds what the addresses name after the edit, and takes the edit back. */
  async after(edit: Edit, what: readonly string[]): Promise<Build> {
    this.#bench.write(edit.edit(this.#files, this.#subject));
    this.#bench.install(versionsAfter(edit));
    try {
      const built = await this.#bench.build(what);
      const row = found.get(edit) ?? new Map<string, Calls>();
      found.set(edit, row.set(this.#subject.name, built.calls));
      return built;
    } finally {
      this.#bench.write(this.#files);
      this.#bench.install(before);
    }
  }

  /**
   * What an empty store gives after the edit: for all devices where it is of a source, else for those whose tools and
   * options it concerns, and for the others without it, which is made once.
   */
  async fresh(edit: Edit, named: readonly Name[]): Promise<Build["files"]> {
    const { devices } = this.#subject;
    this.#fresh ??= new Bench(this.#files, before, run, "own").build(addresses(devices));
    const files = edit.edit(this.#files, this.#subject);
    const isOfSource = Object.keys(files).some(
      (name) => name !== config && files[name] !== this.#files[name],
    );
    const concerned = isOfSource ? devices : named;
    const edited = new Bench(files, versionsAfter(edit), run, "own");
    const made = (await edited.build(addresses(concerned))).files;
    const others = Object.entries((await this.#fresh).files).filter(
      ([name]) => !concerned.some((device) => name.startsWith(`out/${device}/`)),
    );
    return { ...Object.fromEntries(others), ...made };
  }
}

const versionsAfter = ({ upgrade }: Edit): Versions =>
  upgrade === undefined ? before : { ...before, [upgrade]: "99.1" };

/** The devices of a subject that an edit concerns. */
const namedBy = (edit: EffectiveEdit, subject: Subject): readonly Name[] =>
  subject.devices.filter((name) => edit.by.some((job) => jobs[job].device === name));

/**
 * Every run makes each edit to one subject that it concerns, to one or another in turn. All of them are made with
 * `ARC_SLOW_TESTS=1`, and where the page is written.
 */
const isMade = (edits: readonly Edit[], edit: Edit, subject: Subject): boolean => {
  if (slow || process.env.ARC_UPDATE === "1") return true;
  const concerned = subjects.filter(
    (one) => !("by" in edit) || namedBy(edit as EffectiveEdit, one).length > 0,
  );
  return concerned[edits.indexOf(edit) % concerned.length] === subject;
};

describe.each(subjects)("$name", (subject) => {
  const edited = new Edited(subject);

  it("is compiled by the device compilers, kernel by kernel, at first", async () => {
    expect((await edited.first()).calls).toEqual(calls(subject, subject.kernels, allJobs));
  });

  describe("no device compiler runs after", () => {
    for (const edit of harmless.filter((edit) => isMade(harmless, edit, subject))) {
      it(edit.name, async () => {
        expect((await edited.after(edit, subject.devices)).calls).toEqual(calls(subject, [], []));
      });
    }
  });

  describe("exactly the affected kernels are compiled again, to what an empty store gives, after", () => {
    for (const edit of effective.filter((edit) => isMade(effective, edit, subject))) {
      const named = namedBy(edit, subject);
      if (named.length === 0) continue;
      it(edit.name, async () => {
        const fresh = edited.fresh(edit, named);
        const built = await edited.after(edit, addresses(subject.devices));
        expect(built.calls).toEqual(calls(subject, edit.kernels(subject), edit.by));
        expect(built.files).toEqual(await fresh);
      });
    }
  });
});

const foundOwn = new Map<string, number>();

describe("kernels of the author's own", () => {
  const own = new OwnKernels();

  it("are compiled by nvcc, file by file, at first", async () => {
    expect(await own.first()).toEqual(["norm", "scale", "smooth"]);
  });

  describe("exactly the affected kernels are compiled again after", () => {
    for (const edit of ownEdits) {
      it(edit.name, async () => {
        const compiled = await own.after(edit);
        foundOwn.set(edit.name, compiled.length);
        expect(compiled).toEqual(edit.compiled);
      });
    }
  });
});

// A narrowed run has not seen all edits.
afterAll(() => {
  const text = page(found, foundOwn);
  if (text === undefined) return;
  if (process.env.ARC_UPDATE === "1") writeFileSync(file, text);
  expect(readFileSync(file, "utf8"), "docs/edits.md is out of date: ARC_UPDATE=1").toBe(text);
});
