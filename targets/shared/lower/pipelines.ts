/** The execution model of kernels that become data paths: what passes reckon with and emitters lower by. */
import type { ExecutionModel } from "./geometry.ts";

export const dataPaths: ExecutionModel = { maxItems: 256, defaultItems: 64, partition: "cyclic", once: true };
