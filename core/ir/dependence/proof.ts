/** What is known of the iterations of a loop. */
import type { Diagnostic, Loc, Symbol } from "../../lang/index.ts";
import type { Reduction } from "../model/ir.ts";

export type Proof =
  | {
      readonly independent: true;
      readonly privates: readonly Symbol[];
      readonly reductions: readonly Reduction[];
    }
  | {
      readonly independent: false;
      readonly why: string;
      readonly loc: Loc;
      readonly notes?: Diagnostic["notes"];
    };

/** Why iterations may not run concurrently, and where. */
export type Refusal = Extract<Proof, { independent: false }>;
