/** The text of a file. */
declare module "*.v" {
  const text: string;
  export default text;
}
