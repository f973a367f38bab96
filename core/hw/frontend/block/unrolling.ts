/** Small loops with constant trip counts, unrolled into the graph. */
import { lastOf } from "../../../checked/access.ts";
import { countedHeader } from "../../../ir/analysis/loops/counted.ts";
import { isDiagnostic } from "../../../lang/index.ts";
import type { ForStmt, Loc } from "../../../lang/tree/ast.ts";
import { affineForm, constantDifference } from "../../dfg/affine.ts";
import type { Graph } from "../../dfg/graph.ts";
import { NotStraight } from "../../dfg/region.ts";
import type { Store, Value } from "../../dfg/value.ts";
import { unrollOf } from "../scope/syntax.ts";
import { effect } from "./assignments.ts";
import { truth } from "./conversions.ts";
import type { Path } from "./path.ts";

/** Limits for unrolling an inner loop without a directive: its iterations, and the values that this may make. */
const MOST_UNROLLED = 32;
const MOST_UNROLLED_VALUES = 1000;

/**
 * Stores of an unrolled loop that may take turns at a port. With more, an iteration around it takes as long as the loop
 * would as a pipeline, with as many times its circuits.
 */
const MOST_TURNS = 8;

/** The longest word of memory, in bytes. */
const LONGEST_WORD = 64;

export function unrolled(path: Path, loop: ForStmt, base: Value): void {
  const at = loop.span.start;
  const header = countedHeader(loop);
  if (isDiagnostic(header)) throw new NotStraight("a loop whose iterations are not counted stands in it", at);
  const requested = unrollOf(loop);
  // Outside of a pipeline, a loop becomes a pipeline itself.
  if (requested !== 0 && !path.levels.some(({ kind }) => kind === "loop"))
    throw new NotStraight("a loop stands in it", at);
  const body = { kind: "compound", body: [loop.body], span: loop.span } as const;
  const storage = path.scope.of(header.var, at);
  if (storage.kind !== "register") throw new NotStraight("its counter is no scalar", at);
  const { variable } = storage;
  if (loop.init?.kind === "decl") path.statement(loop.init, base);
  else if (loop.init) effect(path, loop.init, base);
  const level = path.enter("loop");
  const earlier = path.graph.stores.length;
  /** The counter where control leaves the loop early, by iterations; one that the loop declares ends with it. */
  const leaves: { readonly left: Value; readonly counter: Value }[] = [];
  for (let k = 0; ; k++) {
    level.passed = path.no;
    const more = loop.test ? truth(path, loop.test, path.effective(base)) : path.yes;
    if (more.op !== "const")
      throw new NotStraight(`a loop stands in it whose number of iterations is not constant`, at);
    if (more.constant === 0n) break;
    if (requested !== 0 && (k >= MOST_UNROLLED || path.graph.values.length > MOST_UNROLLED_VALUES))
      throw new NotStraight(`a loop with many iterations or a large body stands in it`, at);
    path.statement(body, base);
    level.passed = path.no;
    // The counter advances whether or not this iteration is executed: it must stay constant.
    const counter = path.get(variable);
    if (loop.init?.kind !== "decl") leaves.push({ left: path.graph.not(path.effective(path.yes)), counter });
    if (loop.step) effect(path, loop.step, path.yes, true);
    if (path.get(variable) === counter)
      throw new NotStraight("a loop stands in it that does not advance", at);
  }
  if (requested !== 0) refuseTurns(path.graph, path.graph.stores.slice(earlier), at);
  const early = leaves.some(({ left }) => left.op !== "const");
  if (early)
    path.set(
      variable,
      leaves.reduceRight(
        (last, { left, counter }) => path.graph.mux(left, counter, last),
        path.get(variable),
      ),
    );
  path.leave();
}

function refuseTurns(graph: Graph, stores: readonly Store[], at: Loc): void {
  for (const { memory } of stores) {
    const turns = stores.filter((store) => graph.mayTouch(store.memory, memory));
    if (turns.length > MOST_TURNS && !isWord(turns))
      throw new NotStraight(
        `the ${turns.length} stores to '${memory.name}' of a loop that stands in it would take turns`,
        at,
      );
  }
}

/** Whether elements are stored side by side, and by the iterations around them as well, so that they pass as words. */
function isWord(stores: readonly Store[]): boolean {
  const { address, memory } = lastOf(stores);
  const bytes = stores.length * memory.bytes;
  const adjacent = stores.every((store, k) => {
    const next = stores[k + 1];
    const step = next && constantDifference(affineForm(next.address), affineForm(store.address));
    return !next || step === BigInt(memory.bytes);
  });
  return adjacent && bytes <= LONGEST_WORD && [...affineForm(address).terms.values()].includes(BigInt(bytes));
}
