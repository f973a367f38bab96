/**
 * Store-to-load forwarding between iterations: an iteration that loads what one of the iterations before stored takes it
 * from registers and does not wait until it has arrived in memory.
 *
 *     word = load(a)   =>   word = stored && stored_at == a ? stored_word : load(a)
 *
 * Where both addresses advance alike, the iteration in question is known and nothing is compared. A store that always
 * goes to one place is kept until the next one; of others, the last few iterations' are kept, and a later iteration waits
 * only for stores before these.
 */
import type { Apart } from "../../ir/model/ir.ts";
import { affineForm } from "./affine.ts";
import type { Graph } from "./graph.ts";
import { carriedDependence, loadsOf, Meetings, type Relation, Strides } from "./memory.ts";
import { behind } from "./reach.ts";
import { rewrite } from "./rewrite.ts";
import {
  BIT,
  isLiteral,
  type Load,
  type Store,
  sameFormat,
  shareRoot,
  type Value,
  type Variable,
} from "./value.ts";

/** Iterations whose stores are kept at most; each takes a register of the store's data. */
const MOST_KEPT = 8;

/** Comparisons of addresses of a loop at most; each takes a multiplexer as well. */
const MOST_COMPARISONS = 8;

/** What is proved of a loop's iterations. */
interface Known {
  readonly independent: boolean;
  readonly proved: readonly Apart[];
}

/** Changes the graph of an iteration, and `before`, which runs before the loop. `more`: whether it goes on. */
export function forwardStores(graph: Graph, before: Graph, more: Value, known: Known): void {
  const waits = carriedDependence(graph, known.independent, known.proved);
  // Iterations as far apart as that do not wait long.
  if (!waits || waits.unlessApart || waits.distance > MOST_KEPT) return;
  const forwarding = new Forwarding(graph, before, more, known);
  const plans = forwarding.plans();
  if (plans && Math.min(...plans.map(({ next }) => next)) > waits.distance) forwarding.apply(plans);
}

interface Plan {
  readonly load: Load;
  /** Stores of so many iterations before are forwarded; 0: none. */
  readonly kept: number;
  /** Set if all of them are, and one store goes to a place that never changes. */
  readonly settled?: Store;
  /** The first iteration before whose stores are waited for. */
  readonly next: number;
}

class Forwarding {
  private readonly graph: Graph;
  private readonly before: Graph;
  private readonly meetings: Meetings;
  private readonly strides: Strides;
  /** What loads' addresses and the loop's end depend on: it is computed before anything is stored. */
  private readonly early: ReadonlySet<Value>;
  private readonly kept = new Map<Store, History>();

  constructor(graph: Graph, before: Graph, more: Value, { independent, proved }: Known) {
    this.graph = graph;
    this.before = before;
    this.meetings = new Meetings(graph, independent, proved);
    this.strides = new Strides(graph);
    this.early = behind(graph, [more, ...loadsOf(graph).flatMap(({ args }) => args)]);
  }

  /** A plan for each load that an earlier iteration may have stored to; undefined: one of them cannot be forwarded. */
  plans(): readonly Plan[] | undefined {
    const loads = loadsOf(this.graph).filter((load) => this.storesOf(load).some(definite(load)));
    const compared = (load: Load) => this.storesOf(load).filter((s) => this.at(load, s, 1) === "unknown");
    const comparisons = loads.reduce((n, load) => n + compared(load).length, 0);
    const depth = comparisons === 0 ? MOST_KEPT : Math.floor(MOST_COMPARISONS / comparisons);
    const plans = loads.map((load) => this.planOf(load, depth));
    return plans.some(({ next }) => next === 1) ? undefined : plans;
  }

  private planOf(load: Load, depth: number): Plan {
    const stores = this.storesOf(load);
    const [only] = stores;
    const canWait =
      depth > 0 && !this.early.has(load) && stores.every(({ data }) => sameFormat(data.shape, load.shape));
    if (!canWait) return { load, kept: 0, next: this.firstFrom(load, 1) };
    const fits = this.at(load, only as Store, 1) !== "partial";
    if (only && stores.length === 1 && fits && this.strides.of(affineForm(only.address)) === 0n)
      return { load, kept: Number.POSITIVE_INFINITY, settled: only, next: Number.POSITIVE_INFINITY };
    let kept = 0;
    for (let m = 1; m <= Math.min(depth, MOST_KEPT); m++) {
      const relations = stores.map((store) => [store, this.at(load, store, m)] as const);
      if (relations.some(([, relation]) => relation === "partial")) break;
      if (relations.some(([, relation]) => relation !== "apart")) kept = m;
      const always = relations.some(([store, relation]) => relation === "same" && isAlways(store));
      if (always) return { load, kept: m, next: Number.POSITIVE_INFINITY };
    }
    return { load, kept, next: this.firstFrom(load, kept + 1) };
  }

  private firstFrom(load: Load, from: number): number {
    const distances = this.storesOf(load)
      .filter(definite(load))
      .map((store) => this.meetings.first(load, store, from) ?? Number.POSITIVE_INFINITY);
    return Math.min(...distances);
  }

  private at(load: Load, store: Store, distance: number): Relation {
    return this.meetings.at(load, store, distance);
  }

  private storesOf(load: Load): readonly Store[] {
    return this.graph.stores.filter((store) => this.meetings.first(load, store, 1) !== undefined);
  }

  // ---------------------------------------------------------------- changing the graph

  apply(plans: readonly Plan[]): void {
    const replaced = new Map<Value, Value>();
    for (const plan of plans) if (plan.kept > 0) replaced.set(plan.load, this.forwarded(plan));
    const rewritten = rewrite(this.graph, replaced);
    for (const history of this.kept.values()) history.update(rewritten);
  }

  private forwarded({ load, kept, settled, next }: Plan): Value {
    const { graph } = this;
    const [address, guard] = load.args;
    const complete = next === Number.POSITIVE_INFINITY ? next : kept;
    if (settled) {
      const { stored, word } = this.historyOf(settled).settled();
      const hit = this.hits(load, settled, 1, stored, settled.address);
      const still = this.at(load, settled, 1) === "same" && isAlways(settled);
      const needed = still ? graph.and(guard, graph.not(stored)) : guard;
      const loaded = graph.load(load.memory, load.shape, address, needed, complete);
      return graph.mux(hit, graph.resize(word, load.shape), loaded);
    }
    const ages = Array.from({ length: kept }, (_, k) => kept - k);
    const places = ages.flatMap((age) =>
      this.storesOf(load)
        .map((store) => ({ store, age, relation: this.at(load, store, age) }))
        .filter(({ relation }) => relation !== "apart"),
    );
    const always = places.find(({ store, relation }) => relation === "same" && isAlways(store));
    const needed = always
      ? graph.and(guard, graph.not(this.historyOf(always.store).at(always.age).stored))
      : guard;
    // The newest comes last and wins.
    return places.reduce<Value>(
      (rest, { store, age }) => {
        const { stored, at, word } = this.historyOf(store).at(age);
        return graph.mux(this.hits(load, store, age, stored, at), graph.resize(word, load.shape), rest);
      },
      graph.load(load.memory, load.shape, address, needed, complete),
    );
  }

  private hits(load: Load, store: Store, age: number, stored: Value, at: Value): Value {
    if (this.at(load, store, age) === "same") return stored;
    const { graph } = this;
    return graph.and(stored, graph.make("eq", BIT, [at, load.args[0]]));
  }

  private historyOf(store: Store): History {
    const known = this.kept.get(store) ?? new History(this.graph, this.before, store);
    this.kept.set(store, known);
    return known;
  }
}

interface Kept<Of> {
  /** One bit. */
  readonly stored: Of;
  readonly at: Of;
  readonly word: Of;
}

/** Registers of what the last iterations stored with one store. */
class History {
  private readonly graph: Graph;
  private readonly before: Graph;
  private readonly store: Store;
  private readonly ages: Kept<Variable>[] = [];
  private last: Kept<Variable> | undefined;

  constructor(graph: Graph, before: Graph, store: Store) {
    this.graph = graph;
    this.before = before;
    this.store = store;
  }

  /** What was stored so many iterations before. */
  at(age: number): Kept<Value> {
    while (this.ages.length < age) this.ages.push(this.registers());
    const { stored, at, word } = this.ages[age - 1] as Kept<Variable>;
    return { stored: this.graph.read(stored), at: this.graph.read(at), word: this.graph.read(word) };
  }

  /** What was stored last. */
  settled(): { readonly stored: Value; readonly word: Value } {
    this.last ??= this.registers();
    return { stored: this.graph.read(this.last.stored), word: this.graph.read(this.last.word) };
  }

  /** Sets the registers at the end of an iteration. */
  update(rewritten: (value: Value) => Value): void {
    const { graph } = this;
    const guard = rewritten(this.store.guard);
    const data = rewritten(this.store.data);
    const now = { stored: guard, at: rewritten(this.store.address), word: data };
    this.ages.forEach(({ stored, at, word }, k) => {
      const newer = k === 0 ? now : this.at(k);
      graph.updates.set(stored, newer.stored);
      graph.updates.set(at, newer.at);
      graph.updates.set(word, newer.word);
    });
    if (!this.last) return;
    const { stored, word } = this.settled();
    graph.updates.set(this.last.stored, graph.or(stored, guard));
    graph.updates.set(this.last.word, graph.mux(guard, data, word));
  }

  private registers(): Kept<Variable> {
    const { address, data, memory } = this.store;
    const stored = { name: `${memory.name}_stored`, shape: BIT };
    this.before.updates.set(stored, this.before.constant(0, BIT));
    return {
      stored,
      at: { name: `${memory.name}_stored_at`, shape: address.shape },
      word: { name: `${memory.name}_stored_word`, shape: data.shape },
    };
  }
}

const isAlways = ({ guard }: Store): boolean => isLiteral(guard);

/** Whether load and store have a pointer in common, so that the launch cannot find them apart. */
const definite =
  (load: Load) =>
  (store: Store): boolean =>
    shareRoot(load.memory.roots, store.memory.roots);
