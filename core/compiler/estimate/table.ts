/** A device's table as estimates use it: every use of an assumed figure is recorded. */
import type {
  Area,
  DesignTable,
  DeviceProfile,
  Figure,
  OperatorEntry,
} from "../../ir/model/device-profile.ts";
import type { Timing } from "../../ir/pipeline/interval.ts";

type Figures = { [K in keyof DesignTable]: DesignTable[K] extends Figure ? K : never }[keyof DesignTable];
type Areas = {
  [K in keyof DesignTable]: DesignTable[K] extends Required<Area> ? K : never;
}[keyof DesignTable];

const words: Readonly<Record<Figures | Areas, string>> = {
  resources: "what the device has",
  ramBits: "the size of a memory block",
  shell: "what the board's own logic takes",
  access: "the area of an access to global memory",
  accessByte: "the area of an access per byte",
  clock: "the clock of a small design",
  routing: "how much a full device slows the clock",
  bandwidth: "the bandwidth of the board's memory",
  efficiency: "the share of the bandwidth that kernels get",
  burst: "the bytes that memory moves at least",
  stalls: "the cycles that pipelines lose",
  load: "the latency of a load",
  throughMemory: "the latency of a value through memory",
  ram: "the latency of memory on the chip",
  launch: "the time of a launch",
};

/** An operator's name in tables. */
function tableName(op: string): string {
  if (op === "-") return "+";
  if (/^([<>]=?|[!=]=)$/.test(op)) return "<";
  if (/^(&&?|\|\|?|\^|!|~)$/.test(op)) return "&";
  return op === "fmax" ? "max" : op === "fmin" ? "min" : op;
}

const nothing: Area = { aluts: 0, ffs: 0, dsps: 0, rams: 0, source: "" };

export class Table implements Timing {
  readonly device: DeviceProfile;
  readonly design: DesignTable;
  readonly assumed = new Set<string>();

  constructor(device: DeviceProfile) {
    if (device.design === undefined)
      throw new Error(`the table of ${device.name} has no figures for estimates`);
    this.device = device;
    this.design = device.design;
  }

  private note(what: string, source: string): void {
    if (source === "assumed") this.assumed.add(`${what} (${this.device.name})`);
  }

  figure(name: Figures): number {
    const { value, source } = this.design[name];
    this.note(words[name], source);
    return value;
  }

  areas(name: Areas): Required<Area> {
    const area = this.design[name];
    this.note(words[name], area.source);
    return area;
  }

  private entry(op: string, type: string): OperatorEntry | undefined {
    const name = tableName(op);
    const { operators } = this.device;
    return (
      operators.find((o) => o.op === name && o.type === type) ??
      (type === "int" ? undefined : operators.find((o) => o.op === name && o.type === "double"))
    );
  }

  latency(op: string, type: string): number {
    if (op === "wires") return 0;
    const entry = this.entry(op, type);
    if (entry) {
      this.note(`the latency of ${type} ${entry.op}`, entry.source);
      return entry.latency;
    }
    this.note(`the latency of ${type} ${tableName(op)}`, "assumed");
    return type === "int" ? 1 : this.device.defaultLatency;
  }

  chained(op: string, type: string): number {
    const delay = op === "wires" ? 0 : this.entry(op, type)?.delay;
    if (delay === undefined) return this.latency(op, type);
    this.note(`the delay of ${type} ${tableName(op)}`, "assumed");
    return delay;
  }

  accumulates(op: string, type: string): boolean {
    return this.entry(op, type)?.accumulates !== undefined;
  }

  area(op: string, type: string): Area {
    if (op === "wires") return nothing;
    const area = this.entry(op, type)?.area;
    if (area) {
      this.note(`the area of ${type} ${tableName(op)}`, area.source);
      return area;
    }
    this.note(`the area of ${type} ${tableName(op)}`, "assumed");
    // Between the latency of an adder and that of a table-based function.
    return type === "int"
      ? { aluts: 32, ffs: 32, dsps: 0, source: "assumed" }
      : { aluts: 800, ffs: 1200, dsps: 4, source: "assumed" };
  }

  get load(): number {
    return this.figure("load");
  }
  get throughMemory(): number {
    return this.figure("throughMemory");
  }
  get ram(): number {
    return this.figure("ram");
  }
}
