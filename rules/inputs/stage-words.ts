/** Placeholders in planned calls for what is known with the kernels: all texts, one name, all objects. */
export const sourcesWord = "{sources}";
export const kernelWord = "{kernel}";
export const objectsWord = "{objects}";
