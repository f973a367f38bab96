/**
 * NSGA-II (Deb, Pratap, Agarwal and Meyarivan 2002) over lists of values: what a search without a model does with the same
 * builds. Crossover takes each gene from either parent, mutation another value with probability 1 / genes. What cannot be
 * built is worse than all that can.
 */
type Genome = readonly number[];
type Values = readonly number[];

interface Member {
  readonly genome: Genome;
  readonly values: Values | undefined;
}

/** Genomes in order of first evaluation, until `budget` different ones were evaluated. */
export function nsga2(
  sizes: readonly number[],
  valuesOf: (genome: Genome) => Values | undefined | "no such",
  budget: number,
  random: () => number,
  population = 8,
): readonly Genome[] {
  const asked = new Map<string, Member>();
  const draw = (n: number): number => Math.floor(random() * n);
  const fresh = (): Genome => sizes.map(draw);
  const ask = (genome: Genome): Member | undefined => {
    const known = asked.get(genome.join());
    if (known !== undefined) return known;
    const values = valuesOf(genome);
    if (values === "no such" || asked.size >= budget) return undefined;
    const member = { genome, values };
    asked.set(genome.join(), member);
    return member;
  };
  let members: Member[] = [];
  for (let tries = 0; members.length < population && tries < 1000; tries++)
    members.push(...[ask(fresh()) ?? []].flat());
  for (let generation = 0; asked.size < budget && generation < 500; generation++) {
    const order = ranked(members);
    const parent = (): Genome => {
      const [a, b] = [draw(order.length), draw(order.length)];
      return (order[Math.min(a, b)] as Member).genome;
    };
    const children = Array.from({ length: population }, () => {
      const [one, other] = [parent(), parent()];
      const crossed = one.map((gene, i) => (random() < 0.5 ? gene : (other[i] as number)));
      return ask(crossed.map((gene, i) => (random() < 1 / sizes.length ? draw(sizes[i] as number) : gene)));
    });
    const all = new Set([...members, ...children.flatMap((child) => child ?? [])]);
    members = ranked([...all]).slice(0, population);
  }
  return [...asked.values()].map(({ genome }) => genome);
}

/** By fronts, within one by crowding distance. */
function ranked(members: readonly Member[]): Member[] {
  let left = [...members];
  const order: Member[] = [];
  while (left.length > 0) {
    const front = left.filter((one) => !left.some((other) => dominates(other, one)));
    const distances = crowding(front);
    order.push(...[...front].sort((a, b) => (distances.get(b) ?? 0) - (distances.get(a) ?? 0)));
    left = left.filter((one) => !front.includes(one));
  }
  return order;
}

function dominates({ values: a }: Member, { values: b }: Member): boolean {
  if (a === undefined) return false;
  if (b === undefined) return true;
  return a.every((value, i) => value <= (b[i] as number)) && a.some((value, i) => value < (b[i] as number));
}

function crowding(front: readonly Member[]): ReadonlyMap<Member, number> {
  const distances = new Map<Member, number>(front.map((one) => [one, 0]));
  for (let i = 0; i < (front[0]?.values?.length ?? 0); i++) {
    const at = (one: Member | undefined): number => one?.values?.[i] ?? 0;
    const order = [...front].sort((a, b) => at(a) - at(b));
    const span = at(order.at(-1)) - at(order[0]) || 1;
    for (const [k, one] of order.entries()) {
      const [before, after] = [order[k - 1], order[k + 1]];
      const gap = before && after ? (at(after) - at(before)) / span : Number.POSITIVE_INFINITY;
      distances.set(one, (distances.get(one) ?? 0) + gap);
    }
  }
  return distances;
}
