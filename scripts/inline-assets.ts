import {readFile} from 'node:fs/promises';
import {build, type Plugin} from 'vite';

const PREFIX = '\0inline:';

/**
 * Lets TypeScript import files as text: `?raw` the file as it is, `?bundle` a program for the browser with all that it
 * imports, minified into one script. For the build and for the tests alike.
 */
export function inlineAssets(): Plugin {
  return {
    name: 'inline-assets',
    enforce: 'pre',
    async resolveId(source, importer) {
      const [, path, kind] = /^([^?]+)\?(raw|bundle)$/u.exec(source) ?? [];
      if (path === undefined) {
        return undefined;
      }
      const resolved = await this.resolve(path, importer, {skipSelf: true});
      // The ending keeps other plugins from taking the id for a style sheet.
      return resolved && `${PREFIX}${kind}:${resolved.id}.text`;
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) {
        return undefined;
      }
      const [, kind, path = ''] = /^(raw|bundle):(.*)\.text$/u.exec(id.slice(PREFIX.length)) ?? [];
      const text = kind === 'raw' ? await readFile(path, 'utf8') : await bundle(path);
      return {code: `export const text = ${JSON.stringify(text)};`, moduleType: 'js'};
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: {entry, formats: ['iife'], name: 'page'},
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) {
    throw new Error(`${entry} gave no output.`);
  }
  return output.output[0].code.trim();
}
