import { userInfo } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { storeFolder } from "../../../cli/project/store-folder.ts";

const own = path.join(userInfo().homedir, ".cache/arc");

it.each<[env: NodeJS.ProcessEnv, store: string]>([
  [{ HOME: "/home/u" }, "/home/u/.cache/arc"],
  [{ HOME: "/home/u", XDG_CACHE_HOME: "/var/cache" }, "/var/cache/arc"],
  // Names that would lead into the folder in which arc is called.
  [{ HOME: "/home/u", XDG_CACHE_HOME: "cache" }, "/home/u/.cache/arc"],
  [{ HOME: "/home/u", XDG_CACHE_HOME: "" }, "/home/u/.cache/arc"],
  [{ HOME: "" }, own],
  [{ HOME: "home" }, own],
  [{}, own],
  [{ HOME: "/home/u", ARC_STORE: "store" }, "/project/store"],
  [{ HOME: "/home/u", ARC_STORE: "" }, "/home/u/.cache/arc"],
  [{ HOME: "/home/u", ARC_STORE: "~/store" }, "/home/u/store"],
  [{ HOME: "/home/u", ARC_STORE: "~" }, "/home/u"],
  [{ HOME: "/home/u", ARC_STORE: "~other" }, "/project/~other"],
])("with %j results are kept in %s", (env, store) => {
  expect(storeFolder({ options: {}, env, cwd: "/project" }, undefined)).toBe(store);
});

it("an option comes before the environment", () => {
  const env = { HOME: "/home/u", ARC_STORE: "/elsewhere" };
  expect(storeFolder({ options: { store: "~/s" }, env, cwd: "/project" }, undefined)).toBe("/home/u/s");
});
