/** A name that no other process and no other call uses. */
let calls = 0;

export function uniqueName(): string {
  calls += 1;
  return `${process.pid}-${process.hrtime.bigint().toString(36)}-${calls}`;
}
