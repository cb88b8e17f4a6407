import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithParent } from './child.ts';

/** Runs the entry point of a service so that it ends with whoever started it. */
endWithParent();
process.channel?.unref();
const [node = '', , entry = ''] = process.argv;
process.argv = [node, resolve(entry)];
await import(pathToFileURL(resolve(entry)).href);
