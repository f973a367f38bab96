/** Accesses to memory that threads share, each with all that decides what else may happen at the same time. */

import type { LoopHeader } from "../../ir/model/ir.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Directive } from "../read/directive.ts";
import type { Task } from "./tasks.ts";

/** One call of a function whose body is read in place: what its parameters stand for. */
export interface Frame {
  readonly arguments: ReadonlyMap<Symbol, { readonly expr: Expr; readonly frame: Frame }>;
}

/** A loop around an access; `header` absent: it does not count, and its iterations are not known. */
export interface Around {
  readonly header?: LoopHeader;
  readonly frame: Frame;
  /** Barriers stand in it, so that threads are in the same iteration of it. */
  barrier: boolean;
  /** The phases of a level in which an iteration begins and ends, where barriers stand in it. */
  phases?: { readonly level: number; readonly first: number; readonly last: number };
}

/** How far each loop's variable is ahead of the iteration that is waited for. */
export type Distance = readonly number[];

/** Where an access stands between the waits of its iteration and what others wait for. */
export interface Doacross {
  readonly loops: readonly Around[];
  /** What was waited for before it. */
  readonly waited: readonly Distance[];
  /** All that iterations of the loop wait for; complete when it was walked through. */
  readonly all: Distance[];
  /** Behind the place that others wait for. */
  readonly posted: boolean;
}

/** A loop and the directive that shares its iterations out. */
export interface SharedOut {
  readonly directive: Directive;
  readonly stmt: Stmt;
}

/** Which of the threads of a team runs a piece of code. */
export type Exec =
  /** Each of them. */
  | { readonly is: "all" }
  /** Iterations are shared out. `around`: the loops, which stand in the context's list. */
  | { readonly is: "loop"; readonly id: number; readonly around: readonly Around[]; readonly by: SharedOut }
  /** Lanes: iterations closer than `reach` run together, each statement in the order of the lanes. */
  | {
      readonly is: "lanes";
      readonly id: number;
      readonly around: readonly Around[];
      readonly by: SharedOut;
      readonly reach: number;
    }
  | { readonly is: "section"; readonly id: number; readonly index: number }
  | { readonly is: "single"; readonly id: number }
  | { readonly is: "master" };

/** One level of parallelism: the threads of a team, the teams of a league, the lanes of a thread. */
export interface Level {
  readonly id: number;
  /** Counts barriers: code of different phases never runs at the same time. */
  readonly phase: number;
  readonly exec: Exec;
  /** OpenACC's gangs, OpenMP's teams and threads. */
  readonly kind: "threads" | "teams" | "gangs" | "lanes";
  readonly directive: Directive;
  /** How many of the context's loops stand around the construct. */
  readonly loopsOutside: number;
}

/** A condition under which code runs. */
export interface Guard {
  readonly test: Expr;
  readonly holds: boolean;
  readonly frame: Frame;
  /** Stands inside parallel code. */
  readonly inside: boolean;
  /** Nothing is known of it: a case of a `switch`. */
  readonly opaque?: true;
}

export interface Context {
  /** Outermost first. */
  readonly levels: readonly Level[];
  readonly locks: ReadonlySet<string>;
  readonly ordered: boolean;
  /** Of the loops around it whose iterations wait for each other. */
  readonly doacross?: Doacross;
  readonly guards: readonly Guard[];
  /** Outermost first. */
  readonly loops: readonly Around[];
  readonly tasks: readonly Task[];
  readonly frame: Frame;
}

/** An expression and the call in which it is evaluated; `negative`: subtracted. */
export interface Term {
  readonly expr: Expr;
  readonly frame: Frame;
  readonly negative?: true;
}

/** From an object to a part of it. */
export type Step =
  | { readonly is: "field"; readonly name: string }
  /** The sum of the terms. */
  | { readonly is: "index"; readonly terms: readonly Term[] }
  /** Through the pointer that stands there. */
  | { readonly is: "deref" };

export interface Place {
  readonly root: Symbol;
  /** Without the implicit or explicit conversions of pointers on the way. */
  readonly steps: readonly Step[];
  /** Pointers that must not change in the region, so that the place is the same for all. */
  readonly relies: readonly Symbol[];
}

export interface Access {
  readonly place: Place;
  readonly mode: "read" | "write";
  readonly atomic: boolean;
  /** A write that stores the same constant whoever makes it. */
  readonly constant: boolean;
  /** A part of an update: what is stored comes of what was there. */
  readonly update: boolean;
  /** How many levels have a copy of the variable each. */
  readonly owner: number;
  /** How many tasks around it have a copy each. */
  readonly taskOwner: number;
  readonly expr: Expr;
  readonly loc: Loc;
  /** Its place among all, in the order of the text. */
  readonly order: number;
  readonly context: Context;
}
