/** The rules of `arc check` on a usual source of a thousand lines: npx vitest bench test/bench/check */
import { bench } from "vitest";
import { lint } from "../../../core/lint/lint.ts";
import { usual } from "./usual.mjs";

const text = usual(1000);

bench("a thousand lines", () => void lint(text, "usual.c"));
