import { parseArgs } from 'node:util';
import { type Bench } from './bench.ts';

/** Another benchmark is another file and another line here. */
const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  ingest: () => import('./ingest/ingest.bench.ts'),
  numbering: () => import('./numbering/numbering.bench.ts'),
  outbox: () => import('./outbox/outbox.bench.ts'),
  pipeline: () => import('./pipeline/pipeline.bench.ts'),
};

const usage = `npm run bench -- NAME [--only FIGURE] [--database-url URL]
  NAME                ${Object.keys(benches).join(', ')}
  --only FIGURE       one measurement only; may be repeated
  --database-url URL  mssql://… takes outbox --only cross-process there, on a database with all scripts applied
                      (DATABASE_URL says the same); everything else runs on SQLite files of its own`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    'database-url': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const load = benches[positionals[0] ?? ''];
if (values.help || !load) {
  console.error(usage);
  process.exit(values.help ? 0 : 2);
}
const { bench } = await load();
const databaseUrl = values['database-url'] ?? process.env.DATABASE_URL;
const chosen = values.only ?? Object.keys(bench);
for (const name of chosen) {
  const measure = bench[name];
  if (!measure) {
    console.error(`No figure ${name}; there are ${Object.keys(bench).join(', ')}`);
    process.exit(2);
  }
  console.log(JSON.stringify(await measure({ databaseUrl })));
}
