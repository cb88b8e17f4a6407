import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeDatabase } from './database.ts';
import { prettyLine } from './log-line.ts';
import { defaultFirstPort, suiteServices } from './services.ts';
import { onStopRequest } from './stop-requests.ts';
import { Suite } from './suite.ts';
import { welcome } from './welcome.ts';

const usage = `npm start -- [options]
  --ports-from N   first of six consecutive ports (default ${defaultFirstPort})
  --json           services' log lines as they are, one JSON object each
  --help           this text

The services get the environment of this command. Two variables are treated apart:
  DATABASE_URL     an embedded SQLite file unless this one or DATABASE_URL_FILE is set
  METRICS_PORT     first of six consecutive ports, one for the metrics of each service`;

const { values } = parseArgs({
  options: { 'ports-from': { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
});
const firstPort = Number(values['ports-from'] ?? defaultFirstPort);
if (values.help || !Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_530) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const root = join(import.meta.dirname, '../../..');
const services = suiteServices(firstPort, Number(process.env.METRICS_PORT));
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const begun = performance.now();

const suite = new Suite({
  services,
  root,
  // Node 22 and later keep compiled modules there, which makes the next start quicker; Node 20 ignores it.
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/malote'), ...process.env },
  format: ({ name }, line) => (values.json ? line : prettyLine(name, line, { colour })),
  print: (line) => {
    console.log(line);
  },
  say: (text) => {
    console.error(text);
  },
  onReady: () => {
    const seconds = (performance.now() - begun) / 1000;
    console.error(welcome({ services, database: describeDatabase(process.env), seconds }));
  },
});

let asked = false;
onStopRequest(() => {
  if (!asked) console.error('Stopping. Once more kills.');
  asked = true;
  suite.stop();
});

process.exitCode = await suite.run();
