/** Finding nodes of the IR in a statement. */

import type { Stmt } from "../../lang/tree/ast.ts";
import { statementsIn } from "../../lang/tree/children.ts";
import { asNode, type IrNode } from "./ir.ts";

type NodeOf<K extends IrNode["kind"]> = Extract<IrNode, { kind: K }>;

/** The nodes of a kind in the statement, itself included, in source order. */
export function* nodesIn<K extends IrNode["kind"]>(s: Stmt, kind: K): Generator<NodeOf<K>, undefined> {
  for (const inner of statementsIn(s)) {
    const found = asNode(inner, kind);
    if (found) yield found;
  }
}

/** The first node, in source order, that satisfies the predicate. */
export function findNode<K extends IrNode["kind"]>(
  s: Stmt,
  kind: K,
  holds: (node: NodeOf<K>) => boolean = () => true,
): NodeOf<K> | undefined {
  for (const found of nodesIn(s, kind)) if (holds(found)) return found;
  return undefined;
}

export const hasNode = (s: Stmt, kind: IrNode["kind"]): boolean => findNode(s, kind) !== undefined;

/** A node that all threads of a team must reach. */
export const meetingIn = (s: Stmt): NodeOf<"sync"> | NodeOf<"shuffle"> | undefined =>
  findNode(s, "sync") ?? findNode(s, "shuffle");
