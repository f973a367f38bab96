/** A loop of the program around a region, as a loop inside of the region: one launch for all steps. */

const loopAroundRegion =
  /^( *)for (\(.*\)) \{\n((?:.*;\n)*)#pragma acc parallel loop (.*)\n((?:.*\n)*?)\1\}\n/m;

export function oneRegion(source) {
  const inside = (_, indent, head, declared, clauses, loop) =>
    [
      `#pragma acc parallel ${clauses}`,
      "{",
      "#pragma acc loop seq",
      `${indent}for ${head} {`,
      `${declared}#pragma acc loop`,
      `${loop}${indent}}`,
      "}\n",
    ].join("\n");
  if (!loopAroundRegion.test(source)) throw new Error("the program has no loop around a region");
  return source.replace(loopAroundRegion, inside);
}
