/** An OpenCL text as NVIDIA's compiler sees it, or as others do. */
export function seenBy(text: string, nvidia: boolean): string {
  const keeps: boolean[] = [];
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const word = line.trim();
    if (word === "#ifdef __NV_CL_C_VERSION") keeps.push(nvidia);
    else if (word === "#else") keeps.push(!keeps.pop());
    else if (word === "#endif") keeps.pop();
    else if (keeps.every(Boolean)) kept.push(line);
  }
  return kept.join("\n");
}
