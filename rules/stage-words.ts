/** Words in planned calls for what is known when the kernels are: the name of one, and the objects of all. */
export const kernelWord = "{kernel}";
export const objectsWord = "{objects}";
