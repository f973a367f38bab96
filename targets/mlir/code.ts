/** Operations one below the other, in blocks, with names for values. */
export class Code {
  private lines: string[] = [];
  private depth: number;
  private count = 0;
  /** Where the function begins: variables stand there, once, whatever loop declares them. */
  readonly first: string[] = [];

  constructor(depth: number) {
    this.depth = depth;
  }

  line(text: string): void {
    this.lines.push(`${"  ".repeat(this.depth)}${text}`);
  }

  /** An operation with a value, and its name. */
  value(operation: string): string {
    const name = this.fresh();
    this.line(`${name} = ${operation}`);
    return name;
  }

  fresh(): string {
    return `%${this.count++}`;
  }

  variable(type: string): string {
    const name = this.fresh();
    this.first.push(`${name} = memref.alloca() : ${type}`);
    return name;
  }

  /** What `make` adds, one deeper. */
  inside(make: () => void): void {
    this.depth++;
    make();
    this.depth--;
  }

  take(): readonly string[] {
    const gap = "  ".repeat(this.depth);
    return [...this.first.map((line) => `${gap}${line}`), ...this.lines];
  }
}
