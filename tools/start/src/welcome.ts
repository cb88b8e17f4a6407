import { type Service } from './services.ts';

interface Running {
  readonly services: readonly Service[];
  readonly sandbox: Service | undefined;
  readonly database: string;
  readonly seconds: number;
}

/** What somebody who has just started the suite wants to know. */
export function welcome({ services, sandbox, database, seconds }: Running): string {
  const rows = services.map(({ name, port }) => {
    const url = `http://localhost:${port}`;
    return [name, url, `${url}/docs`];
  });
  const lines = table([['service', 'address', 'API description'], ...rows]);
  return [
    '',
    `All ${services.length} services are ready (${seconds.toFixed(1)} s). Database: ${database}`,
    '',
    ...lines.map((line) => `  ${line}`),
    '',
    ...(sandbox ? [`  The outside world, as the sandbox plays it:  http://localhost:${sandbox.port}`] : []),
    '  A token to call them with:  npm run --silent token -- --help',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
