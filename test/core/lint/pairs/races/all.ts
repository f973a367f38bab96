/** All patterns of races. */
import { dependence } from "./dependence.ts";
import { indirect } from "./indirect.ts";
import { lanes } from "./lanes.ts";
import { sharing } from "./sharing.ts";
import { storage } from "./storage.ts";
import { sync } from "./sync.ts";
import { tasks } from "./tasks.ts";

export const races = [dependence, indirect, sharing, storage, sync, tasks, lanes].flat();
