import { applyScripts, parseDatabaseUrl, type SchemaScript, type ScriptReport } from '@malote/persistence';
import { createDatabase } from './create-database.ts';
import { type Options, USAGE } from './options.ts';

export interface Output {
  say(line: string): void;
  complain(line: string): void;
}

/** Runs the command and returns its exit code. */
export async function runSchemaCommand(
  options: Options,
  scripts: readonly SchemaScript[],
  output: Output,
): Promise<0 | 1 | 2> {
  if (options.help) {
    output.say(USAGE);
    return 0;
  }
  if (options.dryRun) {
    for (const { name } of scripts) output.say(name);
    return 0;
  }
  const refusal = refuse(options.databaseUrl);
  if (refusal !== undefined || options.databaseUrl === undefined) {
    output.complain(refusal ?? USAGE);
    return 2;
  }
  const onApplied = (report: ScriptReport) => {
    say(report, output);
  };
  try {
    if (options.createDatabase) await createDatabase(options.databaseUrl, onApplied);
    await applyScripts(options.databaseUrl, scripts, onApplied);
    return 0;
  } catch (error) {
    output.complain(messageOf(error));
    return 1;
  }
}

function refuse(databaseUrl: string | undefined): string | undefined {
  if (databaseUrl === undefined) return `No database URL given.\n\n${USAGE}`;
  try {
    const { engine } = parseDatabaseUrl(databaseUrl);
    return engine === 'sqlite'
      ? 'SQLite needs no scripts: a service makes its tables when it opens the file. Give an mssql:// URL.'
      : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function say({ script, messages }: ScriptReport, output: Output): void {
  if (messages.length === 0) output.say(`${script}: nothing to do`);
  for (const message of messages) output.say(`${script}: ${message}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
