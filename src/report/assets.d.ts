/** A file as text. */
declare module '*?raw' {
  export const text: string;
}

/** A TypeScript program for the browser as one minified script. */
declare module '*?bundle' {
  export const text: string;
}
