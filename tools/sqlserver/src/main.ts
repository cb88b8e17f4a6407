import { join } from 'node:path';
import { readScripts } from '@malote/persistence';
import { type Options, readOptions, USAGE } from './options.ts';
import { runSchemaCommand } from './schema-command.ts';

const output = {
  say: (line: string) => {
    console.log(line);
  },
  complain: (line: string) => {
    console.error(line);
  },
};

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2), process.env);
} catch (error) {
  output.complain(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
}

const scripts = readScripts(join(import.meta.dirname, '..'));
process.exitCode = options ? await runSchemaCommand(options, scripts, output) : 2;
