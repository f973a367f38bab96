/** Inputs that come from optional outputs. */
import type { StepContext } from "../../core/build/model/action.ts";

/** Undefined when the producing action left it out. */
export async function readIfThere(context: StepContext, name: string): Promise<Buffer | undefined> {
  try {
    return await context.readInput(name);
  } catch {
    return undefined;
  }
}
