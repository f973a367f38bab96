/** An invalid call: exit status 2. */
export class UsageError extends Error {
  readonly remedy: string | undefined;
  constructor(message: string, remedy?: string) {
    super(message);
    this.name = "UsageError";
    this.remedy = remedy;
  }
}
