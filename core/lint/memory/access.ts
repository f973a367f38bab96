/** Accesses to memory that threads share, each with everything that decides what may run concurrently with it. */

import type { LoopHeader } from "../../ir/model/ir.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Directive } from "../read/directive.ts";

/** A call whose function is analysed in place: the arguments that its parameters stand for. */
export interface Frame {
  readonly arguments: ReadonlyMap<
    Symbol,
    /** `exact`: it stands for the variable whatever sets that. */
    { readonly expr: Expr; readonly frame: Frame; readonly exact?: true }
  >;
}

/** A loop around an access; `header` absent: not a counted loop, its iterations are unknown. */
export interface Around {
  readonly header?: LoopHeader;
  readonly frame: Frame;
  /** It ends when something happens that it does not count. */
  readonly waits?: true;
  /** It contains barriers, so all threads are in the same iteration. */
  barrier: boolean;
  /** If it contains barriers, the phases of a level in which an iteration begins and ends. */
  phases?: { readonly level: number; readonly first: number; readonly last: number };
}

/** For each loop variable, its distance from the iteration that is waited for. */
export type Distance = readonly number[];

/** The position of an access relative to the waits and the post of its iteration. */
export interface Doacross {
  readonly loops: readonly Around[];
  /** Iterations waited for before it. */
  readonly waited: readonly Distance[];
  /** All iterations that the loop waits for; complete once the loop was walked. */
  readonly all: Distance[];
  /** After the point that other iterations wait for. */
  readonly posted: boolean;
}

/** A loop and the directive that distributes its iterations. */
export interface SharedOut {
  readonly directive: Directive;
  readonly stmt: Stmt;
}

/** Which threads of a team run a piece of code. */
export type Exec =
  /** All of them. */
  | { readonly is: "all" }
  /** Iterations are distributed. `around`: the loops, which are in the context's list. */
  | { readonly is: "loop"; readonly id: number; readonly around: readonly Around[]; readonly by: SharedOut }
  /** Lanes: iterations closer than `reach` run together, each statement in lane order. */
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
  /** Number of barriers so far: code in different phases never runs concurrently. */
  readonly phase: number;
  readonly exec: Exec;
  /** OpenACC's gangs, OpenMP's teams and threads. */
  readonly kind: "threads" | "teams" | "gangs" | "lanes";
  readonly directive: Directive;
  /** How many of the context's loops are around the construct. */
  readonly loopsOutside: number;
}

/** A condition under which code runs. */
export interface Guard {
  readonly test: Expr;
  readonly holds: boolean;
  readonly frame: Frame;
  /** Inside parallel code. */
  readonly inside: boolean;
  /** Nothing is known about it: a case of a `switch`. */
  readonly opaque?: true;
  /** With it a loop begins each turn. */
  readonly ofLoop?: true;
}

export interface Context {
  /** Outermost first. */
  readonly levels: readonly Level[];
  readonly locks: ReadonlySet<string>;
  readonly ordered: boolean;
  /** State of the enclosing loops whose iterations wait for each other. */
  readonly doacross?: Doacross;
  readonly guards: readonly Guard[];
  /** Outermost first. */
  readonly loops: readonly Around[];
  readonly tasks: readonly Task[];
  readonly frame: Frame;
}

/** An expression and the call in which it is evaluated; `negative`: it is subtracted. */
export interface Term {
  readonly expr: Expr;
  readonly frame: Frame;
  readonly negative?: true;
  /** The expression chooses one of these. */
  readonly of?: ReadonlyMap<number, number>;
}

/** One step from an object to a part of it. */
export type Step =
  | { readonly is: "field"; readonly name: string }
  /** The sum of the terms. */
  | { readonly is: "index"; readonly terms: readonly Term[] }
  /** Dereferences the pointer reached so far. */
  | { readonly is: "deref" };

export interface MemoryLocation {
  readonly root: Symbol;
  /** Without implicit or explicit pointer conversions. */
  readonly steps: readonly Step[];
  /** Pointers that must not change in the region, so that the location is the same throughout. */
  readonly relies: readonly Symbol[];
}

export interface Access {
  readonly location: MemoryLocation;
  readonly mode: "read" | "write";
  readonly atomic: boolean;
  /** A write that always stores the same constant. */
  readonly constant: boolean;
  /** Part of an update: the stored value depends on the old one. */
  readonly update: boolean;
  /** Number of enclosing levels at which the variable is private. */
  readonly owner: number;
  /** Number of enclosing tasks for which the variable is private. */
  readonly taskOwner: number;
  readonly expr: Expr;
  readonly loc: Loc;
  /** Its position in source order. */
  readonly order: number;
  readonly context: Context;
}

/** What a task depends on. */
export interface Depend {
  readonly kind: string;
  readonly text: string;
  /** The object, as far as pointers could be followed; absent: all memory. */
  readonly root?: Symbol;
  /** Absent: a section, or something that is not followed. */
  readonly location?: MemoryLocation;
}

/** An explicit task. Numbers are positions in source order, as for accesses. */
export interface Task {
  readonly id: number;
  readonly created: number;
  /** Where its parent waited for it. */
  joined: number;
  /** Where it was waited for together with all its descendants: a barrier, the end of a taskgroup. */
  finished: number;
  readonly depends: readonly Depend[];
  /** Where the dependences are evaluated. */
  readonly context: Context;
  /** Number of loops around the directive, and how many of those are around its parent's code. */
  readonly loops: number;
  readonly loopsOutside: number;
  /** Number of parallelism levels around the directive. */
  readonly levels: number;
  /** The outermost of these loops whose next iteration begins before it is waited for, from 0; infinite: none. */
  outlives: number;
}
