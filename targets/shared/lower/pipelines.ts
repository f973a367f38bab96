/** The execution model of kernels that become data paths, for passes and emitters. */
import type { ExecutionModel } from "./geometry/execution-model.ts";

export const dataPaths: ExecutionModel = { maxItems: 256, defaultItems: 64, partition: "cyclic", once: true };
