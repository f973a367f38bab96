/** Names of resources, for code that must load without the kinds. */
export { type Resources, resourceWords } from "../../../targets/shared/kind/report.ts";
