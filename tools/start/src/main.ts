import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeDatabase } from './database.ts';
import { describeAdmin, ensureFirstAdmin } from './first-admin.ts';
import { prettyLine } from './log-line.ts';
import { defaultFirstPort, defaultSandboxPort, sandboxService, suiteServices } from './services.ts';
import { onStopRequest } from './stop-requests.ts';
import { Suite } from './suite.ts';
import { welcome } from './welcome.ts';
import { isDevelopment, wiring } from './wiring.ts';

const usage = `npm start -- [options]
  --ports-from N   first of seven consecutive ports (default ${defaultFirstPort}, and ${defaultSandboxPort} for the sandbox)
  --no-sandbox     without the sandbox, which plays the outside world; production never has one
  --json           services' log lines as they are, one JSON object each
  --help           this text

All get the environment of this command. These variables are treated apart:
  DATABASE_URL     an embedded SQLite file unless this one or DATABASE_URL_FILE is set
  METRICS_PORT     first of six consecutive ports, one for the metrics of each service
  GATEWAY_URL      the sandbox unless set
  CALLBACK_URL     where the sandbox calls back; ticket-api unless set`;

const { values } = parseArgs({
  options: {
    'ports-from': { type: 'string' },
    'no-sandbox': { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const firstPort = Number(values['ports-from'] ?? defaultFirstPort);
if (values.help || !Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_529) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const root = join(import.meta.dirname, '../../..');
const services = suiteServices(firstPort, Number(process.env.METRICS_PORT));
const withSandbox = !values['no-sandbox'] && isDevelopment(process.env);
const sandbox = withSandbox ? sandboxService(values['ports-from'] ? firstPort : undefined) : undefined;
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const begun = performance.now();
const over = new AbortController();

const suite = new Suite({
  services: sandbox ? [...services, sandbox] : services,
  root,
  env: {
    // Node 22 and later keep compiled modules there, which makes the next start quicker; Node 20 ignores it.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/malote'),
    ...process.env,
    ...(sandbox && wiring(services, sandbox, process.env)),
  },
  format: ({ name }, line) => (values.json ? line : prettyLine(name, line, { colour })),
  print: (line) => {
    console.log(line);
  },
  say: (text) => {
    console.error(text);
  },
  onReady: () => {
    const seconds = (performance.now() - begun) / 1000;
    console.error(welcome({ services, sandbox, database: describeDatabase(process.env), seconds }));
    if (isDevelopment(process.env)) void tellClerks();
  },
});

async function tellClerks(): Promise<void> {
  const port = services.find(({ name }) => name === 'numbering-service')?.port ?? 0;
  try {
    const admin = await ensureFirstAdmin(root, process.env, over.signal);
    console.error(describeAdmin(admin, `http://localhost:${port}`));
  } catch (error) {
    if (!over.signal.aborted) console.error(`No admin could be made: ${String(error)}`);
  }
}

let asked = false;
onStopRequest(() => {
  if (!asked) console.error('Stopping. Once more kills.');
  asked = true;
  over.abort();
  suite.stop();
});

process.exitCode = await suite.run();
over.abort();
