/** The controller of a kernel: one state per pipeline, entered in the order of the control tree. */

import { entryOf } from "../../../../core/checked/access.ts";
import type { Control, Pipeline } from "../../../../core/hw/dfg/region.ts";
import type { Variable } from "../../../../core/hw/dfg/value.ts";
import type { Module } from "../text/module.ts";
import { literal, range } from "../text/text.ts";

/** Where control continues: a state, or a choice by a variable. */
type Next =
  | { readonly kind: "state"; readonly state: number }
  | { readonly kind: "branch"; readonly test: Variable; then: Next; otherwise: Next };

const IDLE: Next = { kind: "state", state: 0 };

export class Controller {
  private readonly module: Module;
  private readonly register: (variable: Variable) => string;
  private readonly states = new Map<Pipeline, number>();
  private readonly following = new Map<Pipeline, Next>();
  private readonly quiets = new Map<Pipeline, string>();
  private readonly first: Next;
  private readonly bits: number;

  constructor(module: Module, control: Control, register: (variable: Variable) => string) {
    this.module = module;
    this.register = register;
    this.first = this.entry(control, IDLE);
    this.bits = Math.max(1, Math.ceil(Math.log2(this.states.size + 1)));
    module.declare(`reg ${range(this.bits)}state;`);
    module.declare("reg fresh;");
    for (const pipeline of this.states.keys()) {
      module.declare(`wire ${pipeline.name}_start;`);
      module.declare(`wire ${pipeline.name}_quiet;`);
    }
  }

  startOf(pipeline: Pipeline): string {
    return `${pipeline.name}_start`;
  }

  /** Registers the condition under which a running pipeline has finished. */
  quiet(pipeline: Pipeline, condition: string): void {
    this.quiets.set(pipeline, condition);
  }

  finish(): void {
    const { module, bits } = this;
    const code = (state: number) => literal(BigInt(state), bits);
    for (const [pipeline, state] of this.states) {
      module.assign(`${pipeline.name}_start`, `fresh & (state == ${code(state)})`);
      module.assign(`${pipeline.name}_quiet`, this.quiets.get(pipeline) ?? "1'b1");
    }
    const go = (next: Next, indent: string): string[] => {
      if (next.kind === "state")
        return [
          `${indent}state <= ${code(next.state)};`,
          ...(next.state === 0 ? [`${indent}done <= 1'b1;`] : [`${indent}fresh <= 1'b1;`]),
        ];
      return [
        `${indent}if (${this.register(next.test)}) begin`,
        ...go(next.then, `${indent}  `),
        `${indent}end else begin`,
        ...go(next.otherwise, `${indent}  `),
        `${indent}end`,
      ];
    };
    const cases = [...this.states].flatMap(([pipeline, state]) => [
      `    ${code(state)}:`,
      `      if (~fresh & ${pipeline.name}_quiet) begin`,
      ...go(entryOf(this.following, pipeline), "        "),
      "      end",
    ]);
    module.always([
      "if (rst) begin",
      `  state <= ${code(0)};`,
      "  fresh <= 1'b0;",
      "  done <= 1'b0;",
      "end else begin",
      "  fresh <= 1'b0;",
      "  done <= 1'b0;",
      "  case (state)",
      `    ${code(0)}:`,
      "      if (start) begin",
      ...go(this.first, "        "),
      "      end",
      ...cases,
      `    default: state <= ${code(0)};`,
      "  endcase",
      "end",
    ]);
  }

  /** Where control must go to execute `control` and then continue at `exit`. */
  private entry(control: Control, exit: Next): Next {
    switch (control.kind) {
      case "pipeline": {
        this.states.set(control, this.states.size + 1);
        this.following.set(control, exit);
        return { kind: "state", state: entryOf(this.states, control) };
      }
      case "sequence":
        return [...control.body].reverse().reduce((next, part) => this.entry(part, next), exit);
      case "if":
        return {
          kind: "branch",
          test: control.test,
          then: this.entry(control.then, exit),
          otherwise: control.else ? this.entry(control.else, exit) : exit,
        };
      case "loop": {
        const around: Next = { kind: "branch", test: control.test, then: exit, otherwise: exit };
        const innerEntry = control.before ? this.entry(control.before, around) : around;
        around.then = this.entry(control.body, innerEntry);
        return innerEntry;
      }
    }
  }
}
