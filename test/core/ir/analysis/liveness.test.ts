import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definedFirst, liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { type Stmt, walkStmt } from "../../../../core/lang/index.ts";
import { cases } from "../../../cases.ts";
import { accepted, functionOf, variable } from "../reading.ts";

const DECLARATIONS =
  "extern int c(void); extern void use(int); extern void take(int *); extern int two(int, int);";

function first(statements: string): boolean {
  const def = functionOf(accepted(`${DECLARATIONS}\nvoid f(int n) { int x; int y; { ${statements} } }`));
  return definedFirst(def.body.body.at(-1) as Stmt, variable(def, "x"));
}

const always: readonly string[] = [
  "x = 1; use(x);",
  "use(1);",
  "x = n; x++;",
  "if (c()) x = 1; else x = 2; use(x);",
  "if (c()) { x = 1; use(x); }",
  "if (c()) x = 1;",
  "if (n) return; x = 1; use(x);",
  "do x = 1; while (c()); use(x);",
  "do { if (c()) continue; } while (x = c()); use(x);",
  "for (;;) { x = 1; if (c()) break; } use(x);",
  "for (int i = 0; i < 3; i++) x = i; use(x);",
  "int i; for (i = 3; i >= 0; i--) { x = i; } use(x);",
  "for (int i = 0; i < n; i++) { x = i; use(x); }",
  "while (1) { x = 2; break; } use(x);",
  "if (0) use(x);",
  "switch (n) { case 1: x = 1; break; default: x = 2; } use(x);",
  "switch (n) { case 1: n++; case 2: x = 1; break; default: x = 2; } use(x);",
  "switch (n) { case 1: x = 1; use(x); }",
  "goto in; out: use(x); return; in: x = 1; goto out;",
  "again: x = c(); if (x) goto again; use(x);",
  "(x = 1, use(x));",
  "if ((x = c()) != 0) use(x);",
  "while ((x = c()) > 0) use(x);",
  "y = c() ? (x = 1) : (x = 2); use(x);",
  "y = (x = c()) && x > 1; use(x);",
  "use((int)sizeof x); x = 1;",
  "y = ({ x = 3; x + 1; }); use(x);",
  "int x = 4; use(x);",
];

const notAlways: readonly string[] = [
  "use(x); x = 1;",
  "x += 1;",
  "x++;",
  "if (c()) x = 1; use(x);",
  "if (c()) x = 1; else use(2); use(x);",
  "for (int i = 0; i < n; i++) x = i; use(x);",
  "for (int i = 5; i < 3; i++) x = i; use(x);",
  "for (unsigned i = 1; i > -1; i++) x = 1; use(x);",
  "while (c()) x = 1; use(x);",
  "do { if (c()) break; x = 1; } while (c()); use(x);",
  "do { if (c()) continue; x = 1; } while (c()); use(x);",
  "for (;;) { if (c()) break; x = 1; } use(x);",
  "for (int i = 0; i < 3; i++) { if (i) use(x); else x = 1; }",
  "switch (n) { case 1: x = 1; break; } use(x);",
  "switch (n) { case 1: x = 1; break; case 2: n++; default: break; } use(x);",
  "switch (n) { x = 1; case 1: use(x); }",
  "if (c()) goto over; x = 1; over: use(x);",
  "goto in; while (n) { x = 1; in: use(x); }",
  "back: if (c()) { use(x); return; } if (c()) goto back; x = 1;",
  "y = c() && (x = 1); use(x);",
  "y = c() ? (x = 1) : 2; use(x);",
  "y = (x = 1) + x;",
  "two(x = 1, x);",
  "take(&x);",
  "int z[x];",
  "y = ({ use(x); 1; });",
];

describe("a variable is defined first", () => {
  test.each(always)("in: %s", (statements) => expect(first(statements)).toBe(true));
});

describe("a variable may be read before it is defined", () => {
  test.each(notAlways)("in: %s", (statements) => expect(first(statements)).toBe(false));
});

describe("inside directives", () => {
  const within = (body: string) => first(`\n#pragma acc parallel\n{ ${body} }`);

  test("a loop's own variable and its privates are other variables", () => {
    expect(within("\n#pragma acc loop\nfor (x = 0; x < n; x++) use(x);")).toBe(true);
    expect(within("\n#pragma acc loop private(x)\nfor (int i = 0; i < n; i++) use(x);")).toBe(true);
    expect(within("\n#pragma acc loop private(x)\nfor (int i = 0; i < x; i++) ;")).toBe(false);
  });

  test("a loop may not run at all", () => {
    expect(within("\n#pragma acc loop seq\nfor (int i = 0; i < n; i++) x = i;\n use(x);")).toBe(false);
    expect(within("\n#pragma acc loop seq\nfor (int i = 0; i < 2; i++) x = i;\n use(x);")).toBe(true);
  });

  test("a reduction needs the value before the loop", () => {
    expect(within("\n#pragma acc loop reduction(+:x)\nfor (int i = 0; i < n; i++) x += i;")).toBe(false);
  });

  test("an atomic write defines, every other atomic access reads", () => {
    expect(within("\n#pragma acc atomic write\nx = 1;\n use(x);")).toBe(true);
    expect(within("\n#pragma acc atomic update\nx += 1;")).toBe(false);
    expect(within("\n#pragma acc atomic capture\ny = x++;")).toBe(false);
    expect(within("\n#pragma acc atomic read\nx = y;\n use(x);")).toBe(true);
    expect(within("\n#pragma acc atomic update\ny += 1;")).toBe(true);
  });

  test("a private of the region is another variable", () => {
    expect(first("\n#pragma acc parallel private(x)\n{ use(x); }")).toBe(true);
    expect(first("\n#pragma acc parallel firstprivate(x)\n{ use(x); }")).toBe(false);
  });
});

describe("a variable is live after a statement", () => {
  const live = (statements: string): boolean => {
    const def = functionOf(
      accepted(`${DECLARATIONS}\nvoid f(int n) { __label__ at; int x = 0; ${statements} }`),
    );
    let at: Stmt | undefined;
    walkStmt(def.body, {
      stmt: (s) => {
        if (s.kind === "label" && s.name === "at") at = s.body;
      },
    });
    return liveAfter(def.body, at as Stmt, variable(def, "x"));
  };

  test("when a later statement may read it", () => {
    expect(live("at: x = 1; use(x);")).toBe(true);
    expect(live("at: x = 1; if (c()) x = 2; use(x);")).toBe(true);
  });

  test("when the next turn of a loop around reads it", () => {
    expect(live("while (c()) { use(x); at: x = 1; }")).toBe(true);
    expect(live("while (c()) { x = 0; use(x); at: x = 1; }")).toBe(false);
    expect(live("back: use(x); at: x = 1; if (c()) goto back;")).toBe(true);
  });

  test("not when it is overwritten or forgotten", () => {
    expect(live("at: x = 1; x = 2; use(x);")).toBe(false);
    expect(live("use(x); at: x = 1;")).toBe(false);
    expect(live("at: x = 1; return; use(x);")).toBe(false);
  });
});

// ---------------------------------------------------------------- against executing every path

/** Programs over one variable `x`; `?` consults an oracle. */
type Step =
  | { readonly is: "set" | "read" | "break" | "continue" | "nothing" | "return" }
  | { readonly is: "goto" | "label"; readonly label: number }
  | { readonly is: "if" | "while" | "do" | "for"; readonly body: Step[]; readonly other: Step[] }
  | {
      readonly is: "switch";
      readonly arms: { readonly body: Step[]; readonly falls: boolean }[];
      readonly default: boolean;
    };

const { steps: program } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  step: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Step>(
      { is: "set" },
      { is: "set" },
      { is: "read" },
      { is: "nothing" },
      { is: "break" },
      { is: "continue" },
      { is: "return" },
    ),
    fc.record({ is: fc.constant("goto" as const), label: fc.nat(1) }),
    fc.record({
      is: fc.constantFrom("if" as const, "while" as const, "do" as const, "for" as const),
      body: tie("steps"),
      other: tie("steps"),
    }),
    fc.record({
      is: fc.constant("switch" as const),
      arms: fc.array(fc.record({ body: tie("steps"), falls: fc.boolean() }), { maxLength: 2 }),
      default: fc.boolean(),
    }),
  ),
  steps: fc.array(tie("step"), { maxLength: 4 }),
}));

/** The program as C. A jump that has nowhere to go is left out. */
function asC(steps: readonly Step[], inLoop: boolean, inSwitch: boolean): string {
  const block = (body: readonly Step[], loop: boolean, sw: boolean) => `{ ${asC(body, loop, sw)} }`;
  const one = (s: Step): string => {
    switch (s.is) {
      case "set":
        return "x = 1;";
      case "read":
        return "use(x);";
      case "nothing":
        return ";";
      case "return":
        return "return;";
      case "break":
        return inLoop || inSwitch ? "break;" : ";";
      case "continue":
        return inLoop ? "continue;" : ";";
      case "goto":
        return `goto l${s.label};`;
      case "label":
        return `l${s.label}: ;`;
      case "if":
        return `if (c()) ${block(s.body, inLoop, inSwitch)} else ${block(s.other, inLoop, inSwitch)}`;
      case "while":
        return `while (c()) ${block(s.body, true, false)}`;
      case "do":
        return `do ${block(s.body, true, false)} while (c());`;
      case "for":
        return `for (; c();) ${block(s.body, true, false)}`;
      case "switch": {
        const arms = s.arms.map(
          (arm, i) => `case ${i}: ${asC(arm.body, inLoop, true)} ${arm.falls ? "" : "break;"}`,
        );
        return `switch (c()) { ${arms.join(" ")} ${s.default ? "default: ;" : ""} }`;
      }
    }
  };
  return steps.map(one).join(" ");
}

/** `choose` continues at one of several points; `jump` has one. */
interface Instruction {
  readonly op: "set" | "read" | "end" | "jump" | "choose";
  readonly to: number[];
}

/** The same program as a list of jumps. */
function compiled(steps: readonly Step[]): Instruction[] {
  const code: Instruction[] = [];
  const labels = new Map<number, number>();
  const jumps: { readonly from: Instruction; readonly label: number }[] = [];
  const emit = (op: Instruction["op"], ...to: number[]): Instruction => {
    const made = { op, to };
    code.push(made);
    return made;
  };
  const here = (froms: readonly Instruction[]): void => {
    for (const from of froms) from.to.push(code.length);
  };
  const list = (body: readonly Step[], breaks?: Instruction[], continues?: Instruction[]): void => {
    for (const s of body) step(s, breaks, continues);
  };
  const step = (s: Step, breaks?: Instruction[], continues?: Instruction[]): void => {
    switch (s.is) {
      case "set":
      case "read":
        emit(s.is);
        return;
      case "return":
        emit("end");
        return;
      case "break":
        breaks?.push(emit("jump"));
        return;
      case "continue":
        continues?.push(emit("jump"));
        return;
      case "label":
        labels.set(s.label, code.length);
        return;
      case "goto":
        jumps.push({ from: emit("jump"), label: s.label });
        return;
      case "if": {
        const choice = emit("choose", code.length + 1);
        list(s.body, breaks, continues);
        const over = emit("jump");
        here([choice]);
        list(s.other, breaks, continues);
        here([over]);
        return;
      }
      case "while":
      case "for":
      case "do": {
        const out: Instruction[] = [];
        const again: Instruction[] = [];
        if (s.is !== "do") again.push(emit("jump"));
        const top = code.length;
        list(s.body, out, again);
        here(again);
        out.push(emit("choose", top));
        here(out);
        return;
      }
      case "switch": {
        const out: Instruction[] = [];
        const choice = emit("choose");
        for (const arm of s.arms) {
          here([choice]);
          list(arm.body, out, continues);
          if (!arm.falls) out.push(emit("jump"));
        }
        here([choice, ...out]);
      }
    }
  };
  list(steps);
  emit("end");
  for (const { from, label } of jumps) from.to.push(labels.get(label) as number);
  return code;
}

/** Whether some run reads before setting; runs are distinguished by their choices. */
function someRunReadsFirst(code: readonly Instruction[], bits: number): boolean {
  for (let choices = 0; choices < 1 << bits; choices++) {
    let at = 0;
    let left = choices;
    let steps = 0;
    for (let asked = 0; asked <= bits && steps++ < 200; ) {
      const it = code[at] as Instruction;
      if (it.op === "read") return true;
      if (it.op === "set" || it.op === "end") break;
      if (it.op === "jump") at = it.to[0] as number;
      else if (it.op === "choose") {
        asked++;
        const which = it.to.length > 2 ? left & 3 : left & 1;
        left >>= it.to.length > 2 ? 2 : 1;
        at = it.to[which % it.to.length] as number;
      }
    }
  }
  return false;
}

test("definedFirst agrees with running every path of random programs", () => {
  fc.assert(
    fc.property(program, fc.nat(9), fc.nat(9), (steps, one, two) => {
      const whole = [...steps];
      whole.splice(one % (whole.length + 1), 0, { is: "label", label: 0 });
      whole.splice(two % (whole.length + 1), 0, { is: "label", label: 1 });
      expect(first(asC(whole, false, false))).toBe(!someRunReadsFirst(compiled(whole), 11));
    }),
    cases(300),
  );
});
