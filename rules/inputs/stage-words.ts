/** Words in planned calls for what is known when the kernels are: the texts, the name of one, the objects of all. */
export const sourcesWord = "{sources}";
export const kernelWord = "{kernel}";
export const objectsWord = "{objects}";
