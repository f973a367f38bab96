/**
 * Spellings that one compiler accepts and another rejects or ignores. Each entry was tried with gcc 12.2 and clang 15.0
 * on `program`; test/core/lint/portable.test.ts repeats that for the compilers that are installed.
 */
import type { Clause, Directive } from "../read/directive.ts";

type Compiler = "gcc 12" | "clang 15";

export interface Spelling {
  readonly language: "acc" | "omp";
  /** Matches the directive's name. */
  readonly directive: RegExp;
  /** Absent: the directive itself. */
  readonly clause?: string;
  /** Matches the text in the clause's or the directive's parentheses. */
  readonly text?: RegExp;
  /** Compilers that reject it; `ignores`: they at most warn, and ignore it. */
  readonly refusedBy: readonly Compiler[];
  readonly ignored?: true;
  /** The source of the entry. */
  readonly source: string;
  readonly instead: string;
  /** An equivalent spelling that all of them accept. */
  readonly rename?: readonly [from: string, to: string];
  /** A program that uses it. */
  readonly program: string;
}

const all = /^/;
const fill = "for (int i = 0; i < 16; i++) a[i] = 1;";
const accLoop = (clauses: string) => `void f(int *a) {\n#pragma acc parallel loop ${clauses}\n${fill}\n}`;
const alone = (line: string) => `void f(int *a) {\n#pragma ${line}\n}`;

const openmp: readonly Omit<Spelling, "language">[] = [
  {
    directive: /^scope$/,
    refusedBy: ["clang 15"],
    source: "OpenMP 5.1, section 2.9",
    instead: "take it away, and put its private and reduction clauses on the construct around it",
    program: "void f(int *a) {\n#pragma omp parallel\n{\n#pragma omp scope\n{ a[0] = 1; }\n}\n}",
  },
  {
    directive: /^error$/,
    refusedBy: ["clang 15"],
    source: "OpenMP 5.1, section 2.5.4",
    instead: "write #error, or stop the program by a call",
    program: 'void f(int *a) {\n#pragma omp error at(execution) severity(warning) message("x")\na[0] = 1;\n}',
  },
  {
    directive: /^(tile|unroll)$/,
    refusedBy: ["gcc 12"],
    ignored: true,
    source: "OpenMP 5.1, section 2.11.9",
    instead: "write the loops as they are to be",
    program: `void f(int *a) {\n#pragma omp unroll partial(4)\n${fill}\n}`,
  },
  {
    directive: /^metadirective$/,
    refusedBy: ["gcc 12"],
    ignored: true,
    source: "OpenMP 5.0, section 2.3.4",
    instead: "choose by #if",
    program: `void f(int *a) {\n#pragma omp metadirective when(device={kind(host)}: parallel for) default(for)\n${fill}\n}`,
  },
  {
    directive: /^dispatch$/,
    refusedBy: ["gcc 12"],
    ignored: true,
    source: "OpenMP 5.1, section 2.3.6",
    instead: "call the variant by its name",
    program: "void g(void);\nvoid f(void) {\n#pragma omp dispatch\ng();\n}",
  },
  {
    directive: /^begin declare target$/,
    refusedBy: ["gcc 12"],
    source: "OpenMP 5.1, section 2.14.7",
    instead: "write 'declare target', which means the same where it has no clauses",
    rename: ["begin declare target", "declare target"],
    program: "#pragma omp begin declare target\nint g;\n#pragma omp end declare target\n",
  },
  {
    directive: /^declare target$/,
    clause: "enter",
    refusedBy: ["gcc 12", "clang 15"],
    source: "OpenMP 5.2, section 5.8.4, which renames clause to",
    instead: "write 'to'",
    rename: ["enter", "to"],
    program: "int g;\n#pragma omp declare target enter(g)\n",
  },
  {
    directive: /^ordered$/,
    clause: "doacross",
    refusedBy: ["gcc 12", "clang 15"],
    source: "OpenMP 5.2, section 15.9.6, which renames depend(sink:) and depend(source)",
    instead: "write 'depend'",
    program:
      "void f(int *a) {\n#pragma omp parallel for ordered(1)\nfor (int i = 1; i < 16; i++) {\n#pragma omp ordered doacross(sink: i - 1)\na[i] = a[i - 1];\n#pragma omp ordered doacross(source:)\n}\n}",
  },
  {
    directive: /^taskwait$/,
    clause: "nowait",
    refusedBy: ["gcc 12", "clang 15"],
    source: "OpenMP 5.2, section 15.5",
    instead: "make an empty task with the same depend clauses",
    program: alone("omp taskwait depend(in: a[0]) nowait"),
  },
  {
    directive: all,
    clause: "map",
    text: /^[\w,]*\bpresent\b[\w,]*:/,
    refusedBy: ["gcc 12"],
    source: "OpenMP 5.1, section 2.21.7.1",
    instead: "leave 'present' out, and ask omp_target_is_present",
    program: `void f(int *a) {\n#pragma omp target map(present, tofrom: a[0:16])\n${fill}\n}`,
  },
  {
    directive: /^target update$/,
    clause: "to",
    text: /^present:/,
    refusedBy: ["gcc 12"],
    source: "OpenMP 5.1, section 2.14.6",
    instead: "leave 'present' out, and ask omp_target_is_present",
    program: alone("omp target update to(present: a[0:16])"),
  },
  {
    directive: /\b(parallel|teams)$/,
    clause: "shuffle",
    refusedBy: ["gcc 12", "clang 15"],
    source: "the REX compiler, and in no version of OpenMP",
    instead: "write values to an array of the team, and meet at a barrier",
    program: "void f(int *a) {\nint v = a[0];\n#pragma omp parallel shuffle(v)\na[0] = v;\n}",
  },
  {
    directive: /^target$/,
    clause: "thread_limit",
    refusedBy: ["clang 15"],
    source: "OpenMP 5.1, section 2.14.5",
    instead: "put it on a 'teams' construct",
    program: `void f(int *a) {\n#pragma omp target thread_limit(8) map(a[0:16])\n${fill}\n}`,
  },
  {
    directive: /^declare mapper$/,
    refusedBy: ["gcc 12"],
    source: "OpenMP 5.0, section 2.19.7.3",
    instead: "map the members where the record is mapped",
    program: "struct S { int n; int *p; };\n#pragma omp declare mapper(struct S s) map(s, s.p[0:s.n])\n",
  },
  {
    directive: /^target update$/,
    clause: "to",
    text: /\[[^[\]:]*:[^[\]:]*:[^[\]:]*\]/,
    refusedBy: ["gcc 12"],
    source: "OpenMP 5.0, section 2.1.5",
    instead: "update the whole range, or one element after the other",
    program: alone("omp target update to(a[0:8:2])"),
  },
];

const openacc: readonly Omit<Spelling, "language">[] = [
  {
    directive: /^(parallel|kernels|serial)( loop)?$/,
    clause: "self",
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.5.7",
    instead: "write if(!(CONDITION))",
    program: accLoop("self(1) copy(a[0:16])"),
  },
  {
    directive: all,
    clause: "copyin",
    text: /^readonly:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.7.8",
    instead: "leave 'readonly:' out",
    program:
      "void f(int *a) {\n#pragma acc parallel loop copyin(readonly: a[0:16])\nfor (int i = 0; i < 16; i++) (void)a[i];\n}",
  },
  {
    directive: all,
    clause: "copyout",
    text: /^zero:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.7.9",
    instead: "leave 'zero:' out, and set the elements",
    program: accLoop("copyout(zero: a[0:16])"),
  },
  {
    directive: all,
    clause: "create",
    text: /^zero:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.7.10",
    instead: "leave 'zero:' out, and set the elements",
    program: accLoop("create(zero: a[0:16])"),
  },
  {
    directive: /loop$/,
    clause: "gang",
    text: /^dim:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.9.2",
    instead: "collapse the loops",
    program: accLoop("gang(dim: 1) copy(a[0:16])"),
  },
  {
    directive: /loop$/,
    clause: "collapse",
    text: /^force:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.9.1",
    instead: "move what stands between the loops into the inner one",
    program:
      "void f(int a[16][16]) {\n#pragma acc parallel loop collapse(force: 2) copy(a[0:16])\nfor (int i = 0; i < 16; i++) {\nint t = i;\nfor (int j = 0; j < 16; j++) a[i][j] = t;\n}\n}",
  },
  {
    directive: /loop$/,
    clause: "serial",
    refusedBy: ["gcc 12"],
    source: "OpenARC; OpenACC has 'serial loop'",
    instead: "write 'serial loop', or seq",
    program: accLoop("serial copy(a[0:16])"),
  },
  {
    directive: /^(init|shutdown|set)$/,
    refusedBy: ["gcc 12"],
    ignored: true,
    source: "OpenACC 3.3, section 2.14",
    instead: "call acc_init, acc_shutdown or acc_set_device_num",
    program: alone("acc init"),
  },
  {
    directive: /^wait$/,
    text: /^(queues|devnum):/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.16.3",
    instead: "name the queues alone, and call acc_set_device_num before",
    program: alone("acc wait(queues: 1)"),
  },
  {
    directive: /^wait$/,
    clause: "if",
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.16.3",
    instead: "put the directive under an if",
    program: alone("acc wait(1) if(a[0])"),
  },
  ...(["default", "async", "wait"] as const).map((clause) => ({
    directive: /^data$/,
    clause,
    refusedBy: ["gcc 12"] as const,
    source: "OpenACC 3.3, section 2.6.5",
    instead:
      clause === "default" ? "put it on the compute constructs inside" : "use enter data and exit data",
    program: `void f(int *a) {\n#pragma acc data copy(a[0:16]) ${clause}(${clause === "default" ? "none" : "1"})\n{ }\n}`,
  })),
  {
    directive: /^atomic$/,
    clause: "if",
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.12",
    instead: "leave it out",
    program:
      "void f(int *a) {\n#pragma acc parallel copy(a[0:1])\n{\n#pragma acc atomic if(1)\na[0]++;\n}\n}",
  },
  {
    directive: /^(parallel|kernels|serial)( loop)?$/,
    clause: "device_type",
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.4",
    instead: "choose by #if",
    program: accLoop("copy(a[0:16]) device_type(nvidia) num_gangs(4)"),
  },
  {
    directive: /^routine$/,
    clause: "bind",
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.15.1",
    instead: "call the other function by its name in code for devices",
    program: '#pragma acc routine seq bind("h")\nint g(int x);\n',
  },
  {
    directive: /^cache$/,
    text: /^readonly:/,
    refusedBy: ["gcc 12"],
    source: "OpenACC 3.3, section 2.10",
    instead: "leave 'readonly:' out",
    program: `void f(int *a) {\n#pragma acc parallel loop copy(a[0:16])\nfor (int i = 0; i < 16; i++) {\n#pragma acc cache(readonly: a[0:16])\na[i] = 1;\n}\n}`,
  },
];

export const spellings: readonly Spelling[] = [
  ...openmp.map((s) => ({ ...s, language: "omp" as const })),
  ...openacc.map((s) => ({ ...s, language: "acc" as const })),
];

const textOf = (tokens: Clause["tokens"]): string => tokens.map((t) => t.text).join("");

/** Entries that match a directive, with the matching clause. */
export function spellingsOf(
  d: Directive,
): readonly { readonly spelling: Spelling; readonly clause?: Clause }[] {
  return spellings.flatMap((spelling) => {
    const { language, directive, clause: name, text = all } = spelling;
    if (language !== d.language || !directive.test(d.name)) return [];
    if (name === undefined) return text.test(textOf(d.argument)) ? [{ spelling }] : [];
    return d.clauses
      .filter((c) => c.name === name && text.test(textOf(c.tokens)))
      .map((clause) => ({ spelling, clause }));
  });
}
