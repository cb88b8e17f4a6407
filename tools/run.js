import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `node tools/run.js <file.ts> [arguments]` runs a TypeScript entry point from source. */
register('./ts-loader.js', import.meta.url);
process.setSourceMapsEnabled(true);

const [entry, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], resolve(entry), ...args];
await import(pathToFileURL(resolve(entry)).href);
