/** Collects operations line by line, in nested blocks, and creates names for values. */
export class Code {
  private lines: string[] = [];
  private depth: number;
  private count = 0;
  /** Variables are allocated at the start of the function, once each, whichever loop declares them. */
  readonly first: string[] = [];

  constructor(depth: number) {
    this.depth = depth;
  }

  line(text: string): void {
    this.lines.push(`${"  ".repeat(this.depth)}${text}`);
  }

  /** Adds an operation that yields a value, and returns the value's name. */
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

  /** The operations that `make` adds are indented. */
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
