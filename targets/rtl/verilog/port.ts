/**
 * A kernel with all its memory ports merged into one native port, as a module of its own: round-robin arbiters
 * take commands from the kernel's ports, and the order in which they took them tells where answers go.
 *
 * All channels are valid-ready: read commands {address, beats}, read data, write commands {address, beats}, write
 * words {word, strobe}, write responses, one per command. Addresses count bytes and are those of whole words. An
 * element narrower than a word is a lane of it, which its natural alignment keeps within the word; a wider one
 * takes several beats, the low one first. Memory answers commands of a kind in their order.
 */
import type { KernelModule } from "./kernel.ts";
import { Module, type Port } from "./module.ts";
import type { WritePort } from "./pipeline.ts";
import { disjunction, literal, range, zeros } from "./text.ts";

export interface NativePort {
  readonly addressBits: number;
  /** Of a word: 8, 16, 32 or 64. */
  readonly dataBits: number;
  /** Commands of a kind that may be under way; a power of two. */
  readonly outstanding: number;
}

/** Bits of a native port's count of beats, which is as large as the longest burst of AXI4. */
export const BEATS_BITS = 9;

export interface PortedKernel {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  readonly native: NativePort;
  /** The channels that are there. */
  readonly reads: boolean;
  readonly writes: boolean;
  /** Of the widest element. */
  readonly beats: number;
  /** The kernel's ports, in the order of their turns. */
  readonly readers: readonly Client[];
  readonly writers: readonly Client[];
}

/** A port of the kernel as the arbiter sees it. */
export interface Client {
  /** Start of its signals' names. */
  readonly prefix: string;
  readonly bits: number;
  readonly beats: number;
  /** Bytes of its own choice are written. */
  readonly strobes: boolean;
  /** Its commands say how many words they are for, up to that; absent: each is for one element. */
  readonly burst?: number;
}

export function portedKernel(kernel: KernelModule, native: NativePort): PortedKernel {
  return new PortModule(kernel, native).make();
}

class PortModule {
  private readonly kernel: KernelModule;
  private readonly native: NativePort;
  private readonly module: Module;
  /** Bits of an address below those of a word. */
  private readonly low: number;
  /** Signals of this module at the kernel's ports. */
  private readonly signals = new Map<string, string>();

  constructor(kernel: KernelModule, native: NativePort) {
    this.kernel = kernel;
    this.native = native;
    this.module = new Module(`${kernel.name}_port`);
    this.low = Math.log2(native.dataBits / 8);
  }

  make(): PortedKernel {
    const { kernel, module } = this;
    const memory = new Set(
      [...kernel.reads, ...kernel.writes].flatMap(({ prefix }) =>
        kernel.ports.filter(({ name }) => name.startsWith(`${prefix}_`)).map(({ name }) => name),
      ),
    );
    module.names.reserve(["unused", "kernel"]);
    for (const port of kernel.ports.filter(({ name }) => !memory.has(name)))
      this.signals.set(
        port.name,
        module.port({ direction: port.direction, bits: port.bits, name: port.name }),
      );
    if (kernel.reads.length > 0) this.read(kernel.reads.map((port) => this.client(port)));
    if (kernel.writes.length > 0) this.write(kernel.writes.map((port) => this.client(port)));
    for (const { name, bits } of kernel.ports.filter((port) => memory.has(port.name)))
      module.declare(`wire ${range(bits)}${this.signal(name)};`);
    module.instance(
      kernel.name,
      {},
      "kernel",
      Object.fromEntries(kernel.ports.map(({ name }) => [name, this.signal(name)])),
    );
    return {
      name: `${kernel.name}_port`,
      text: module.text(),
      ports: module.portList(),
      native: this.native,
      reads: kernel.reads.length > 0,
      writes: kernel.writes.length > 0,
      beats: Math.max(1, ...[...kernel.reads, ...kernel.writes].map((port) => this.client(port).beats)),
      readers: kernel.reads.map((port) => this.client(port)),
      writers: kernel.writes.map((port) => this.client(port)),
    };
  }

  private client(port: Pick<WritePort, "prefix" | "bytes" | "strobes" | "beats">): Client {
    const { prefix, bytes, strobes = false } = port;
    const beats = Math.max(1, (bytes * 8) / this.native.dataBits);
    return { prefix, bits: bytes * 8, beats, strobes, ...(port.beats && { burst: port.beats }) };
  }

  private signal(port: string): string {
    const known = this.signals.get(port);
    if (known !== undefined) return known;
    const made = this.module.names.unique(port);
    this.signals.set(port, made);
    return made;
  }

  private port(direction: Port["direction"], bits: number, name: string, register?: true): void {
    this.module.port({ direction, bits, name, ...(register && { register }) });
  }

  // ---------------------------------------------------------------- arbitration

  /**
   * `channel_pick`, a bit per client: the one whose turn it is, while `channel_take` lets a command in. Each
   * command that is taken is remembered until `answered`: whose it is, and the lane of its element.
   */
  private arbiter(
    channel: "read" | "write",
    clients: readonly Client[],
    free: string,
    answered: string,
    lanes: boolean,
    /** Bits of the number of beats after the first, where that is to be known too. */
    counted = 0,
  ): {
    readonly owner: (k: number) => string;
    readonly known: string;
    readonly lane: (step: number) => string;
    readonly more: string;
  } {
    const { module } = this;
    const n = clients.length;
    const name = (what: string) => `${channel}_${what}`;
    module.names.reserve(
      ["wanted", "pick", "take", "any", "room", "turn", "above", "from", "order", "known", "open"].map(name),
    );
    const at = (signal: string, k: number) => (n === 1 ? signal : `${signal}[${k}]`);
    module.declare(`wire ${range(n)}${name("wanted")};`);
    module.declare(`wire ${range(n)}${name("pick")};`);
    for (const wire of ["take", "any", "room"]) module.declare(`wire ${name(wire)};`);
    const valids = clients.map(({ prefix }) => this.signal(`${prefix}_${channel}_valid`));
    module.assign(name("wanted"), n === 1 ? (valids[0] as string) : `{${[...valids].reverse().join(", ")}}`);
    module.assign(name("any"), n === 1 ? name("wanted") : `|${name("wanted")}`);
    module.assign(name("take"), `${free} & ${name("room")}`);
    clients.forEach(({ prefix }, k) => {
      module.assign(this.signal(`${prefix}_${channel}_ready`), `${at(name("pick"), k)} & ${name("take")}`);
    });
    if (n === 1) module.assign(name("pick"), name("wanted"));
    else {
      const one = literal(1n, n);
      module.declare(`reg ${range(n)}${name("turn")};`);
      for (const wire of ["above", "from"]) module.declare(`wire ${range(n)}${name(wire)};`);
      module.assign(name("above"), `${name("wanted")} & ${name("turn")}`);
      module.assign(name("from"), `(${name("above")} != ${zeros(n)}) ? ${name("above")} : ${name("wanted")}`);
      module.assign(name("pick"), `${name("from")} & (~${name("from")} + ${one})`);
      module.always([
        `if (rst) ${name("turn")} <= ${zeros(n)};`,
        `else if (${name("take")} & ${name("any")}) ${name("turn")} <= ~(${name("pick")} | (${name("pick")} - ${one}));`,
      ]);
    }
    // A queue of the clients whose commands are under way; nothing need be known of the only one.
    const owner = n === 1 ? 0 : Math.ceil(Math.log2(n));
    const lane = lanes ? this.low : 0;
    const width = owner + lane + counted;
    const depth = Math.log2(this.native.outstanding);
    module.declare(`reg ${range(depth + 1)}${name("open")};`);
    const one = (signal: string) => `{${zeros(depth)}, ${signal}}`;
    module.always([
      `if (rst) ${name("open")} <= ${zeros(depth + 1)};`,
      `else ${name("open")} <= ${name("open")} + ${one(`${name("take")} & ${name("any")}`)} - ${one(answered)};`,
    ]);
    module.assign(name("room"), `~${name("open")}[${depth}]`);
    if (width === 0) return { owner: () => "1'b1", known: "1'b1", lane: () => "1'b0", more: "" };
    module.declare(`wire ${range(width)}${name("order")};`);
    module.declare(`wire ${name("known")};`);
    const index = Array.from({ length: owner }, (_, bit) =>
      disjunction(clients.flatMap((_, k) => ((k >> bit) % 2 === 1 ? [at(name("pick"), k)] : []))),
    ).reverse();
    const entry = [
      ...index.map((bit) => `(${bit})`),
      ...(lane === 0
        ? []
        : [this.chosen(channel, clients, (c) => `${this.address(channel, c)}[${lane - 1}:0]`, lane)]),
      ...(counted === 0
        ? []
        : [this.chosen(channel, clients, (c) => this.after(channel, c, counted), counted)]),
    ];
    module.instance("arc_queue", { WIDTH: width, LOG2: depth }, `${name("orders")}`, {
      clk: "clk",
      rst: "rst",
      push: `${name("take")} & ${name("any")}`,
      in: entry.length === 1 ? (entry[0] as string) : `{${entry.join(", ")}}`,
      pop: answered,
      out: name("order"),
      valid: name("known"),
    });
    const slice = (from: number, bits: number) =>
      width === 1
        ? name("order")
        : bits === 1
          ? `${name("order")}[${from}]`
          : `${name("order")}[${from + bits - 1}:${from}]`;
    return {
      owner: (k) =>
        owner === 0 ? "1'b1" : `(${slice(lane + counted, owner)} == ${literal(BigInt(k), owner)})`,
      known: name("known"),
      lane: (step) => slice(counted + step, 1),
      more: counted === 0 ? "" : slice(0, counted),
    };
  }

  /** Beats of a client's command after the first. */
  private after(channel: "read" | "write", { prefix, beats, burst }: Client, bits: number): string {
    if (burst === undefined) return literal(BigInt(beats - 1), bits);
    return `(${this.signal(`${prefix}_${channel}_beats`)}[${bits - 1}:0] - ${literal(1n, bits)})`;
  }

  private address(channel: "read" | "write", { prefix }: Client): string {
    return this.signal(`${prefix}_${channel}_address`);
  }

  /** What the picked client has. */
  private chosen(
    channel: string,
    clients: readonly Client[],
    of: (client: Client, k: number) => string,
    bits: number,
  ): string {
    const [first] = clients as [Client];
    if (clients.length === 1) return of(first, 0);
    const all = clients.map((client, k) => of(client, k));
    if (all.every((text) => text === all[0])) return all[0] as string;
    return all.map((text, k) => `({${bits}{${channel}_pick[${k}]}} & ${text})`).join(" | ");
  }

  /** The address of the word that an address lies in. */
  private wordAddress(address: string): string {
    if (this.low === 0) return address;
    return `{${address}[${this.native.addressBits - 1}:${this.low}], ${zeros(this.low)}}`;
  }

  // ---------------------------------------------------------------- reading

  private read(clients: readonly Client[]): void {
    const { module, native } = this;
    const { addressBits, dataBits } = native;
    this.port("output", 1, "read_valid", true);
    this.port("output", addressBits, "read_address", true);
    this.port("output", BEATS_BITS, "read_beats", true);
    this.port("input", 1, "read_ready");
    this.port("input", 1, "data_valid");
    this.port("input", dataBits, "data");
    this.port("output", 1, "data_ready");
    module.names.reserve(["data_last", "data_lower", "data_beat", "data_taken", "data_lane"]);
    const lanes = clients.some(({ bits }) => bits < dataBits);
    module.declare("wire data_taken;");
    module.declare("wire data_last;");
    const longest = Math.max(...clients.map(({ beats, burst }) => burst ?? beats));
    const counted = clients.some(({ burst }) => burst !== undefined) ? Math.ceil(Math.log2(longest)) : 0;
    const { owner, known, lane, more } = this.arbiter(
      "read",
      clients,
      "(~read_valid | read_ready)",
      "data_taken & data_last",
      lanes,
      counted,
    );
    this.command("read", clients);
    if (!lanes) for (const c of clients) module.leaveBits(this.address("read", c), 0, this.low);
    // Its order is known before data can be there, but nothing is lost if not.
    module.assign("data_ready", known);
    module.assign("data_taken", `data_valid & ${known}`);
    const most = Math.max(...clients.map(({ beats }) => beats));
    if (longest === 1) module.assign("data_last", "1'b1");
    else this.gather(clients, owner, most, longest, more);
    const narrow = Math.max(...clients.map(({ bits }) => (bits < dataBits ? bits : 0)));
    const word = lanes ? this.lanesOf(lane, narrow) : "data";
    clients.forEach(({ prefix, bits, beats, burst }, k) => {
      const whole =
        beats > 1
          ? `{data, data_lower[${(most - 1) * dataBits - 1}:${(most - beats) * dataBits}]}`
          : bits < dataBits
            ? `${word}[${bits - 1}:0]`
            : "data";
      module.assign(this.signal(`${prefix}_data`), whole);
      const last = burst === undefined ? "data_taken & data_last" : "data_taken";
      module.assign(this.signal(`${prefix}_data_valid`), `${last} & ${owner(k)}`);
    });
  }

  private command(channel: "read" | "write", clients: readonly Client[]): void {
    const { module, native } = this;
    const taken = `${channel}_take`;
    if (channel === "read")
      module.always([
        "if (rst) read_valid <= 1'b0;",
        "else if (read_take) read_valid <= read_any;",
        "else if (read_ready) read_valid <= 1'b0;",
      ]);
    module.when(taken, [
      `${channel}_address <= ${this.chosen(channel, clients, (c) => this.wordAddress(this.address(channel, c)), native.addressBits)};`,
      `${channel}_beats <= ${this.chosen(channel, clients, (c) => this.beatsOf(channel, c), BEATS_BITS)};`,
    ]);
  }

  private beatsOf(channel: "read" | "write", { prefix, beats, burst }: Client): string {
    return burst === undefined
      ? literal(BigInt(beats), BEATS_BITS)
      : this.signal(`${prefix}_${channel}_beats`);
  }

  /**
   * Elements of several beats: the lower words wait in `data_lower`, the latest highest. `more`: what is known of the
   * beats after the first, where commands differ in that.
   */
  private gather(
    clients: readonly Client[],
    owner: (k: number) => string,
    most: number,
    longest: number,
    more: string,
  ): void {
    const { module, native } = this;
    const bits = Math.ceil(Math.log2(longest));
    const lower = (most - 1) * native.dataBits;
    module.declare(`reg ${range(bits)}data_beat;`);
    if (most > 1) module.declare(`reg ${range(lower)}data_lower;`);
    const last = clients.map(
      ({ beats }, k) => `(${owner(k)} & (data_beat == ${literal(BigInt(beats - 1), bits)}))`,
    );
    module.assign("data_last", more === "" ? disjunction(last) : `data_beat == ${more}`);
    module.always([
      `if (rst) data_beat <= ${zeros(bits)};`,
      `else if (data_taken) data_beat <= data_last ? ${zeros(bits)} : data_beat + ${literal(1n, bits)};`,
    ]);
    if (most === 1) return;
    const next = most === 2 ? "data" : `{data, data_lower[${lower - 1}:${native.dataBits}]}`;
    module.when("data_taken", [`data_lower <= ${next};`]);
  }

  /** The word's lowest `widest` bits once it is moved down to an element, halving it with each bit of the lane. */
  private lanesOf(lane: (step: number) => string, widest: number): string {
    const { module } = this;
    let from = "data";
    let bits = this.native.dataBits;
    for (let step = this.low - 1; step >= 0; step--) {
      const half = 8 << step;
      const name = module.names.unique(`data_lane${step}`);
      const upper = widest > half ? `${from}[${bits - 1}:${half}]` : undefined;
      const moved = `${lane(step)} ? ${from}[${2 * half - 1}:${half}] : ${from}[${half - 1}:0]`;
      if (upper === undefined) bits = half;
      module.declare(`wire ${range(bits)}${name};`);
      module.assign(name, upper === undefined ? moved : `{${upper}, ${moved}}`);
      from = name;
    }
    return from;
  }

  // ---------------------------------------------------------------- writing

  private write(clients: readonly Client[]): void {
    const { module, native } = this;
    const { addressBits, dataBits } = native;
    this.port("output", 1, "write_valid", true);
    this.port("output", addressBits, "write_address", true);
    this.port("output", BEATS_BITS, "write_beats", true);
    this.port("input", 1, "write_ready");
    this.port("output", 1, "word_valid", true);
    this.port("output", dataBits, "word", true);
    this.port("output", dataBits / 8, "word_strobe", true);
    this.port("input", 1, "word_ready");
    this.port("input", 1, "response_valid");
    this.port("output", 1, "response_ready");
    module.names.reserve(["word_left", "word_rest", "strobe_rest", "word_of", "word_next", "word_there"]);
    const most = Math.max(...clients.map(({ beats }) => beats));
    const longest = Math.max(...clients.map(({ beats, burst }) => burst ?? beats));
    const bursts = clients.some(({ burst }) => burst !== undefined);
    const left = bursts ? BEATS_BITS : Math.ceil(Math.log2(most));
    const gone = longest === 1 ? "word_ready" : `(word_ready & (word_left == ${zeros(left)}))`;
    const { owner, known } = this.arbiter(
      "write",
      clients,
      bursts
        ? `(~write_valid | write_ready) & (~word_valid | word_ready) & (word_left == ${zeros(left)})`
        : `(~write_valid | write_ready) & (~word_valid | ${gone})`,
      clients.length === 1 ? "response_valid" : "response_valid & write_known",
      false,
    );
    this.command("write", clients);
    for (const c of clients) if (c.bits >= dataBits) module.leaveBits(this.address("write", c), 0, this.low);
    module.assign("response_ready", known);
    clients.forEach(({ prefix }, k) => {
      module.assign(this.signal(`${prefix}_write_done`), `response_valid & ${known} & ${owner(k)}`);
    });
    if (bursts) {
      this.burstWords(clients, most);
      return;
    }
    module.always([
      "if (rst) begin",
      "  write_valid <= 1'b0;",
      "  word_valid <= 1'b0;",
      "end else if (write_take) begin",
      "  write_valid <= write_any;",
      "  word_valid <= write_any;",
      "end else begin",
      "  if (write_ready) write_valid <= 1'b0;",
      `  if (${gone}) word_valid <= 1'b0;`,
      "end",
    ]);
    const words = this.chosen("write", clients, (c) => this.words(c, most), most * dataBits);
    // Beats of an element that is stored as a whole have the same strobes.
    const differ = most > 1 && clients.some(({ strobes, beats }) => strobes && beats > 1);
    const lanes = dataBits / 8;
    const strobe = this.chosen(
      "write",
      clients,
      (c) => this.strobe(c, differ ? most : 1),
      differ ? most * lanes : lanes,
    );
    if (most === 1) module.when("write_take", [`word <= ${words};`, `word_strobe <= ${strobe};`]);
    else {
      const rest = (most - 1) * dataBits;
      module.declare(`reg ${range(left)}word_left;`);
      module.declare(`reg ${range(rest)}word_rest;`);
      if (differ) module.declare(`reg ${range((most - 1) * lanes)}strobe_rest;`);
      const count = this.chosen("write", clients, ({ beats }) => literal(BigInt(beats - 1), left), left);
      const shifted = most === 2 ? "word_rest" : `{${zeros(dataBits)}, word_rest[${rest - 1}:${dataBits}]}`;
      module.always([
        "if (write_take) begin",
        `  {word_rest, word} <= ${words};`,
        `  ${differ ? "{strobe_rest, word_strobe}" : "word_strobe"} <= ${strobe};`,
        `  word_left <= ${count};`,
        "end else if (word_ready) begin",
        `  word <= word_rest[${dataBits - 1}:0];`,
        `  word_rest <= ${shifted};`,
        ...(differ
          ? [
              `  word_strobe <= strobe_rest[${lanes - 1}:0];`,
              `  strobe_rest <= ${most === 2 ? "strobe_rest" : `{${zeros(lanes)}, strobe_rest[${(most - 1) * lanes - 1}:${lanes}]}`};`,
            ]
          : []),
        `  word_left <= word_left - ${literal(1n, left)};`,
        "end",
      ]);
    }
  }

  /** Words of bursts, which come from where they wait one after the other, among elements that come at once. */
  private burstWords(clients: readonly Client[], most: number): void {
    const { module, native } = this;
    const { dataBits } = native;
    const lanes = dataBits / 8;
    const n = clients.length;
    const at = (signal: string, k: number) => (n === 1 ? signal : `${signal}[${k}]`);
    const rest = (most - 1) * dataBits;
    const own = (k: number) => clients[k]?.burst === undefined;
    const elements = clients.some((_, k) => own(k));
    module.declare(`reg ${range(BEATS_BITS)}word_left;`);
    module.declare(`reg ${range(n)}word_of;`);
    if (rest > 0) module.declare(`reg ${range(rest)}word_rest;`);
    module.declare("wire word_there;");
    module.declare(`wire ${range(dataBits + lanes)}word_next;`);
    const source = (k: number, what: string) => this.signal(`${clients[k]?.prefix}_${what}`);
    const all = clients.map((_, k) => k);
    const waiting = all.filter((k) => !own(k));
    module.assign(
      "word_there",
      disjunction([
        ...waiting.map((k) => `(${at("word_of", k)} & ${source(k, "word_valid")})`),
        ...all.filter(own).map((k) => at("word_of", k)),
      ]),
    );
    const following = rest > 0 ? `{{${lanes}{1'b1}}, word_rest[${dataBits - 1}:0]}` : zeros(dataBits + lanes);
    module.assign(
      "word_next",
      all
        .map((k) => (own(k) ? following : `{${source(k, "word_strobe")}, ${source(k, "word")}}`))
        .map((words, k) => `({${dataBits + lanes}{${at("word_of", k)}}} & ${words})`)
        .join(" | "),
    );
    const free = "(~word_valid | word_ready)";
    for (const k of waiting)
      module.assign(
        source(k, "word_ready"),
        `${free} & (word_left != ${zeros(BEATS_BITS)}) & ${at("word_of", k)}`,
      );
    const picked = disjunction(all.filter(own).map((k) => at("write_pick", k)));
    module.always([
      "if (rst) begin",
      "  write_valid <= 1'b0;",
      "  word_valid <= 1'b0;",
      `  word_left <= ${zeros(BEATS_BITS)};`,
      "end else if (write_take) begin",
      "  write_valid <= write_any;",
      `  word_valid <= ${elements ? `write_any & (${picked})` : "1'b0"};`,
      `  word_left <= ${this.chosen("write", clients, (c) => (c.burst === undefined ? literal(BigInt(c.beats - 1), BEATS_BITS) : this.beatsOf("write", c)), BEATS_BITS)} & {${BEATS_BITS}{write_any}};`,
      "end else begin",
      "  if (write_ready) write_valid <= 1'b0;",
      `  if ${free} word_valid <= word_there & (word_left != ${zeros(BEATS_BITS)});`,
      `  if (${free} & word_there & (word_left != ${zeros(BEATS_BITS)})) word_left <= word_left - ${literal(1n, BEATS_BITS)};`,
      "end",
    ]);
    const words = (c: Client) => (c.burst === undefined ? this.words(c, most) : zeros(most * dataBits));
    const strobe = (c: Client) => (c.burst === undefined ? this.strobe(c, 1) : zeros(lanes));
    module.always([
      "if (write_take) begin",
      "  word_of <= write_pick;",
      ...(elements
        ? [
            `  ${rest > 0 ? "{word_rest, word}" : "word"} <= ${this.chosen("write", clients, words, most * dataBits)};`,
            `  word_strobe <= ${this.chosen("write", clients, strobe, lanes)};`,
          ]
        : []),
      `end else if ${free} begin`,
      "  {word_strobe, word} <= word_next;",
      ...(rest > 0
        ? [
            `  word_rest <= ${most === 2 ? "word_rest" : `{${zeros(dataBits)}, word_rest[${rest - 1}:${dataBits}]}`};`,
          ]
        : []),
      "end",
    ]);
  }

  /** An element in all lanes of its word, or as its words. */
  private words({ prefix, bits, beats }: Client, most: number): string {
    const { dataBits } = this.native;
    const data = this.signal(`${prefix}_write_data`);
    const copies = Math.max(1, dataBits / bits);
    const words = copies === 1 ? data : `{${copies}{${data}}}`;
    return beats === most ? words : `{${zeros((most - beats) * dataBits)}, ${words}}`;
  }

  /** Of so many beats: an element's in the first, or in all of its own. */
  private strobe(client: Client, beats: number): string {
    const lanes = this.native.dataBits / 8;
    const bytes = client.bits / 8;
    const own = client.strobes ? this.signal(`${client.prefix}_write_strobe`) : undefined;
    if (bytes >= lanes) {
      const bits = beats === 1 ? lanes : bytes;
      const all = own ?? literal((1n << BigInt(bits)) - 1n, bits);
      return bits < beats * lanes ? `{${zeros(beats * lanes - bits)}, ${all}}` : all;
    }
    const ones = own ? `{${zeros(lanes - bytes)}, ${own}}` : literal((1n << BigInt(bytes)) - 1n, lanes);
    const moved = `(${ones} << ${this.address("write", client)}[${this.low - 1}:0])`;
    return beats === 1 ? moved : `{${zeros((beats - 1) * lanes)}, ${moved}}`;
  }
}
