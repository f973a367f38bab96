/** Finds instances of modules in Verilog text. */

/** A module of the text, from its first line to its last. */
export const moduleText = (text: string, name: string): string | undefined =>
  new RegExp(`^module ${name}\\b[\\s\\S]*?^endmodule$`, "m").exec(text)?.[0];

/** The connections of an instance's ports; undefined if there is no such instance. */
export function connectionsOf(module: string, instance: string): ReadonlyMap<string, string> | undefined {
  const [, ports] =
    new RegExp(`^ *\\w+ (?:#\\(.*\\) )?${instance} \\(\\n((?: *\\.\\w+\\(.*\\),?\\n)*) *\\);$`, "m").exec(
      module,
    ) ?? [];
  if (ports === undefined) return undefined;
  return new Map([...ports.matchAll(/^ *\.(\w+)\((.*)\),?$/gm)].map(([, port = "", to = ""]) => [port, to]));
}

/** The parameters of an instance. */
export function parametersOf(module: string, instance: string): Readonly<Record<string, number>> {
  const [, parameters = ""] = new RegExp(`^ *\\w+ #\\((.*)\\) ${instance} \\($`, "m").exec(module) ?? [];
  return Object.fromEntries(
    [...parameters.matchAll(/\.(\w+)\((\d+)\)/g)].map(([, name = "", value]) => [name, Number(value)]),
  );
}

/** Placeholder in properties for what is connected to a port of an instance. */
export const portOf = (instance: string, port: string): string => `<${instance}.${port}>`;

/** Replaces these placeholders in properties. */
export function connected(properties: string, module: string): string {
  return properties.replace(/<(\w+)\.(\w+)>/g, (_, instance: string, port: string) => {
    const to = connectionsOf(module, instance)?.get(port);
    if (to === undefined) throw new Error(`there is no port ${port} of an instance ${instance}`);
    return `(${to})`;
  });
}
