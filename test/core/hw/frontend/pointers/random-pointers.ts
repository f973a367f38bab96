/**
 * Random functions of C that use pointers to their own variables, none of which follows one beyond its object:
 * of each pointer is known between which elements it may lead, whichever way control came.
 */
import { random } from "../../../../targets/rtl/random/random-kernel.ts";

/** Elements before and after the pointer's target; negative if it may be null. */
interface Room {
  readonly low: number;
  readonly high: number;
}

const declarations = `  int x = i, y = i * 7 % 5, t[5] = {3, i, 1, 4, i + 1}, m[2][3] = {{i, 2, 3}, {4, 5, 6}};
  struct s { int u, v[3]; } r = {i, {7, 8, 9}}, q[2] = {{1, {2, 3, i}}, {4, {5, 6, 7}}};
  int *p = &x, *o = t + 2, (*w)[3] = m, **h = &o, *b[2] = {&y, t + 1};
  struct s *z = &r;
`;

/** The statements of `int f(int i)`, which ends with a sum of all its variables. */
export function randomPointers(seed: number): string {
  const pick = random(seed);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const rooms: Record<string, Room> = {
    p: { low: 0, high: 0 },
    o: { low: -2, high: 2 },
    w: { low: 0, high: 1 },
    z: { low: 0, high: 0 },
    "b[0]": { low: 0, high: 0 },
    "b[1]": { low: -1, high: 3 },
  };
  /** What a pointer to a pointer leads to is one of these for ever. */
  const places = { p: "p", o: "o" };
  const room = (name: string): Room =>
    name === "b[i & 1]" ? common(room("b[0]"), room("b[1]")) : (rooms[name] as Room);
  const within = ({ low, high }: Room): number => low + pick(high - low + 1);
  const isAny = ({ low, high }: Room): boolean => low <= high;

  const access = (name: string): string => {
    const k = within(room(name));
    return k === 0 ? one([`(*${name})`, `${name}[0]`]) : one([`${name}[${k}]`, `(*(${name} + ${k}))`]);
  };
  const lvalue = (): string => {
    const usable = ["p", "o", "b[0]", "b[1]", "b[i & 1]"].filter((name) => isAny(room(name)));
    const record = () => {
      const k = within(room("z"));
      return k === 0 ? one(["z->", "(*z)."]) : `z[${k}].`;
    };
    const ways = [
      () => one(["x", "y", `t[${pick(5)}]`, "t[y & 3]", "m[x & 1][y & 1]", "r.u", `q[i & 1].v[${pick(3)}]`]),
      ...usable.map((name) => () => access(name)),
      ...usable.map((name) => () => access(name)),
      ...(isAny(room("z")) ? [() => record() + one(["u", "v[x & 1]", "v[2]"])] : []),
      ...(isAny(room("w")) ? [() => `${one(["(*w)", "w[0]"])}[${pick(3)}]`] : []),
    ];
    return one(ways)();
  };
  const number = (): string =>
    one([
      lvalue,
      lvalue,
      () => `${pick(9)}`,
      () => `(${lvalue()} & 15) * 3`,
      () => `${lvalue()} + ${lvalue()}`,
    ])();
  const test = (): string =>
    one([
      () => `${number()} & 1`,
      () => `${number()} < ${number()}`,
      () => one(["p == o", "p != &x", "o == p", "p && x", "!o", "w == m", "z != q"]),
    ])();

  /** A value for a pointer, and the room around it. */
  const pointer = (name: string): readonly [string, Room] => {
    const k = pick(3);
    const around = (size: number, at: number): Room => ({ low: -at, high: size - 1 - at });
    if (name === "z")
      return one([
        ["&r", around(1, 0)],
        [`&q[${k & 1}]`, around(2, k & 1)],
        ["q", around(2, 0)],
      ] as const);
    if (name === "w")
      return one([
        ["m", around(2, 0)],
        [`&m[${k & 1}]`, around(2, k & 1)],
      ] as const);
    const ways: (readonly [string, Room])[] = [
      [one(["&x", "&y", "&r.u"]), around(1, 0)],
      [`&t[${k}]`, around(5, k)],
      ["t + (i & 3)", { low: 0, high: 1 }],
      [`m[1] + ${k}`, around(3, k)],
      [`&m[i & 1][${k}]`, around(3, k)],
      [`r.v + ${k}`, around(3, k)],
      [`&q[y & 1].v[${k}]`, around(3, k)],
      ["p", room("p")],
      ["o", room("o")],
      ["*h", { low: 1, high: 0 }],
      ["b[1]", room("b[1]")],
      ["b[i & 1]", room("b[i & 1]")],
    ];
    if (isAny(room("z"))) ways.push(["z->v", around(3, 0)]);
    if (isAny(room("w"))) ways.push(["*w", around(3, 0)], ["w[0] + 1", around(3, 1)]);
    return one(ways);
  };
  const common = (a: Room, b: Room): Room => ({
    low: Math.max(a.low, b.low),
    high: Math.min(a.high, b.high),
  });

  let depth = 0;
  const statement = (): string => {
    const name = one(["p", "o", "w", "z", "b[0]", "b[1]"] as const);
    const usable = ["p", "o"].filter((of) => isAny(room(of)));
    switch (pick(depth < 3 ? 9 : 7)) {
      case 0:
      case 1: {
        const [value, own] = pointer(name);
        rooms[name] = own;
        return `${name} = ${value};`;
      }
      case 2: {
        const [a, one] = pointer(name);
        const [b, other] = pointer(name);
        const chooses = test();
        rooms[name] = common(one, other);
        return `${name} = ${chooses} ? ${a} : ${b};`;
      }
      case 3: {
        const { low, high } = room(name);
        if (low > high) return ";";
        const by = within({ low, high });
        rooms[name] = { low: low - by, high: high - by };
        if (by === 1) return one([`${name}++;`, `++${name};`]);
        return by === -1 ? one([`${name}--;`, `--${name};`]) : `${name} += ${by};`;
      }
      case 4: {
        const of = usable.find((of) => room(of).low <= 0 && room(of).high > 0);
        if (!of) return `${lvalue()}++;`;
        rooms[of] = { low: room(of).low - 1, high: room(of).high - 1 };
        return `*${of}++ ${one(["=", "+=", "^="])} ${one(["x", "y", "5"])};`;
      }
      case 5:
        return one([
          `h = ${one(["&p", "&o"])};`,
          `y += *h == ${one(Object.values(places))};`,
          `y ^= ${test()};`,
        ]);
      case 6:
        return `${lvalue()} ${one(["=", "=", "+=", "-=", "^="])} ${number()};`;
      default: {
        const before = { ...rooms };
        const chooses = test();
        depth++;
        const then = `${statement()} ${statement()}`;
        const taken = { ...rooms };
        Object.assign(rooms, before);
        const otherwise = pick(2) === 0 ? statement() : undefined;
        depth--;
        for (const of of Object.keys(rooms)) rooms[of] = common(taken[of] as Room, room(of));
        return `if (${chooses}) { ${then} }${otherwise ? ` else { ${otherwise} }` : ""}`;
      }
    }
  };
  const body = Array.from({ length: 14 }, () => `  ${statement()}\n`).join("");
  const sums = ["t", "r.v", "q[0].v", "q[1].v", "m[0]", "m[1]"].map(
    (of) => `  for (int k = 0; k < ${of === "t" ? 5 : 3}; k++) x = x * 3 + ${of}[k];\n`,
  );
  return `${declarations}${body}${sums.join("")}  return x + y * 5 + r.u * 7 + q[0].u * 11 + q[1].u * 13;\n`;
}
