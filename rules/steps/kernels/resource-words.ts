/** Names of resources alone, for what must load without the kinds. */
export { type Resources, resourceWords } from "../../../targets/shared/kind/report.ts";
