/**
 * Which files an action read, looked for or wrote beside those it declared, according to the tracer (native/tracer.c).
 * Files of the system and of installed tools are ignored: they belong to the tool, which is a part of keys itself.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, posix } from "node:path";
import type { Action, Step } from "../model/action.ts";
import type { Undeclared } from "../model/event.ts";
import type { TracingBudget } from "./tracing-budget.ts";

interface TracedPlaces {
  /** The project's root. */
  readonly root: string;
  /** The folder that the action ran in, and its folder for temporary files. */
  readonly work: string;
  readonly temporary: string;
  /** The store, with the tracer's log, arc's installation, which is in keys as a tool, and caches that tools check. */
  readonly own: readonly string[];
}

const SYSTEM = [
  "/usr",
  "/lib",
  "/lib32",
  "/lib64",
  "/bin",
  "/sbin",
  "/etc",
  "/proc",
  "/sys",
  "/dev",
  "/run",
  "/nix",
];

/** The kind of call that named a file: open for reading, write, stat, execute; `!`: something could not be followed. */
type Kind = "r" | "w" | "s" | "x" | "!";

export type Note = readonly [Kind, string];

export interface Tracer {
  /** The compiled native/tracer.c. */
  readonly program: string;
  /**
   * Given where nobody asked for tracing: then it must cost little, and tells nothing of what it cannot see.
   */
  readonly budget?: TracingBudget;
}

interface Trace {
  /** The command, run under the tracer. */
  readonly argv: readonly string[];
  /** Returns the notes and the processor time that the tracer took, and removes the file of the notes. */
  end(): { readonly notes: readonly Note[]; readonly tracerSeconds: number };
}

/** What realpath asks is passed over where tracing must cost little, or where it tells nothing that is not seen anyway. */
export function trace(
  { program, budget }: Tracer,
  log: string,
  argv: readonly string[],
  { opensWhatItResolves }: Pick<Step, "opensWhatItResolves">,
): Trace {
  const isLight = budget !== undefined || opensWhatItResolves === true;
  return {
    argv: [program, isLight ? "light" : "all", log, ...argv],
    end: () => {
      const text = existsSync(log) ? readFileSync(log, "utf8") : "!the tracer could not write its notes\0";
      rmSync(log, { force: true });
      const notes: Note[] = [];
      let tracerSeconds = 0;
      for (const record of text.split("\0")) {
        const rest = record.slice(1);
        if (record.startsWith("c")) tracerSeconds = Number(rest) / 1e6;
        else if (record !== "" && (budget === undefined || !record.startsWith("!")))
          notes.push([record[0] as Kind, rest]);
      }
      return { notes, tracerSeconds };
    },
  };
}

/** Undefined when there is nothing to report. `found`: files that the step itself reported as read or missing. */
export function undeclared(
  notes: readonly Note[],
  action: Action,
  places: TracedPlaces,
  found: ReadonlySet<string>,
): Undeclared | undefined {
  const seen = new Sorter(action, places, found, programFolders(notes));
  for (const [kind, path] of notes) seen.add(kind, path);
  return seen.result;
}

/** The same without what was looked for; undefined if nothing else was found. */
export function withoutLookedFor(report: Undeclared | undefined): Undeclared | undefined {
  if (report === undefined) return undefined;
  const { reads, writes, unseen } = report;
  return reads.length + writes.length + unseen.length === 0 ? undefined : { ...report, lookedFor: [] };
}

class Sorter {
  readonly #action: Action;
  readonly #places: TracedPlaces;
  readonly #roots: readonly string[];
  readonly #works: readonly string[];
  readonly #passedOver: readonly string[];
  readonly #declared: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #made = new Set<string>();
  readonly #reads = new Set<string>();
  readonly #lookedFor = new Set<string>();
  readonly #writes = new Set<string>();
  readonly #unseen = new Set<string>();

  constructor(action: Action, places: TracedPlaces, found: ReadonlySet<string>, tools: readonly string[]) {
    this.#action = action;
    this.#places = places;
    this.#roots = withReal(places.root);
    this.#works = withReal(places.work);
    this.#passedOver = [...SYSTEM, ...tools, ...[places.temporary, ...places.own].flatMap(withReal)];
    const files = action.inputs.flatMap(({ from }) => ("file" in from ? from.file : []));
    const outputs = action.outputs.flatMap(({ place }) => place ?? []);
    this.#declared = new Set([...files, ...outputs, ...found]);
    this.#folders = [...files, ...outputs].map((path) => `${path}/`);
  }

  get result(): Undeclared | undefined {
    const [reads, lookedFor, writes, unseen] = [this.#reads, this.#lookedFor, this.#writes, this.#unseen].map(
      (paths) => [...paths].sort(),
    ) as [string[], string[], string[], string[]];
    if (reads.length + lookedFor.length + writes.length + unseen.length === 0) return undefined;
    return { address: this.#action.address, reads, lookedFor, writes, unseen };
  }

  add(kind: Kind, named: string): void {
    if (kind === "!") {
      this.#unseen.add(named);
      return;
    }
    const path = posix.normalize(named);
    if (kind === "x" && isForeign(path)) this.#unseen.add(`${path} is a program for another processor`);
    const inWork = insideOf(path, this.#works);
    if (inWork !== undefined) return this.#addInWork(kind, inWork);
    const inside = insideOf(path, this.#roots);
    if (this.#passedOver.some((folder) => path === folder || path.startsWith(`${folder}/`))) return;
    if (inside !== undefined) this.#addInProject(kind, inside);
    else this.#addOutside(kind, path);
  }

  /** The folder has only what the action declares, so a missing name stands for the same name in the project. */
  #addInWork(kind: Kind, name: string): void {
    if (kind === "w") this.#made.add(name);
    if (name === "" || this.#made.has(name) || this.#hasInput(name)) return;
    const isOutput = this.#action.outputs.some(
      (output) => output.name === name || name.startsWith(`${output.name}/`),
    );
    if (!isOutput && isFile(`${this.#places.root}/${name}`) && !existsSync(`${this.#places.work}/${name}`))
      this.#lookedFor.add(name);
  }

  #hasInput(name: string): boolean {
    return this.#action.inputs.some((input) => input.name === name || name.startsWith(`${input.name}/`));
  }

  #addInProject(kind: Kind, name: string): void {
    if (name === "" || name === ".arc" || name.startsWith(".arc/")) return;
    if (this.#declared.has(name) || this.#folders.some((folder) => name.startsWith(folder))) return;
    if (kind === "w") this.#addWrite(name, `${this.#places.root}/${name}`);
    else if (isFile(`${this.#places.root}/${name}`)) this.#reads.add(name);
    else if (kind === "r" && !existsSync(`${this.#places.root}/${name}`)) this.#lookedFor.add(name);
  }

  #addOutside(kind: Kind, path: string): void {
    if (this.#declared.has(path)) return;
    if (kind === "w") this.#addWrite(path, path);
    else if (kind === "r" && isFile(path)) this.#reads.add(path);
  }

  /** Ignores existing folders: programs merely make sure that they exist. */
  #addWrite(name: string, path: string): void {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) this.#writes.add(name);
  }
}

const withReal = (folder: string): string[] => {
  try {
    return [...new Set([folder, realpathSync(folder)])];
  } catch {
    return [folder];
  }
};

function insideOf(path: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    if (path === folder) return "";
    if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  }
  return undefined;
}

/** Installation folders of the programs that ran: `/opt/tool` for `/opt/tool/bin/cc`. */
function programFolders(notes: readonly Note[]): readonly string[] {
  const folders = notes.flatMap(([kind, path]) => {
    const bin = dirname(posix.normalize(path));
    return kind === "x" && /^s?bin$/.test(posix.basename(bin)) ? dirname(bin) : [];
  });
  return [...new Set(folders)].filter((folder) => folder !== "/");
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Whether a program is 32-bit ELF: its system calls have other numbers, which the tracer does not follow. */
function isForeign(path: string): boolean {
  const head = Buffer.alloc(5);
  try {
    const file = openSync(path, "r");
    readSync(file, head, 0, 5, 0);
    closeSync(file);
  } catch {
    return false;
  }
  return head.toString("latin1", 0, 4) === "\x7fELF" && head[4] === 1;
}
