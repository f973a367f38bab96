/** All patterns of data that is not where it is used. */
import { held } from "./held.ts";
import { single } from "./single.ts";

export const transfers = [single, held].flat();
