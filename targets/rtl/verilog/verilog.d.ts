/** A file's text. */
declare module "*.v" {
  const text: string;
  export default text;
}
