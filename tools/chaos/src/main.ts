import { type Chaos } from './chaos.ts';

/** Another chaos run is another file and another line here. */
const runs: Readonly<Record<string, () => Promise<{ run: Chaos }>>> = {
  numbering: () => import('./numbering/numbering.chaos.ts'),
  outbox: () => import('./outbox/outbox.chaos.ts'),
  tickets: () => import('./tickets/tickets.chaos.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = runs[name];
if (!load) {
  console.error(`npm run chaos -- NAME --seed N [options]\n  NAME  ${Object.keys(runs).join(', ')}`);
  process.exit(2);
}
const { run } = await load();
const report = await run(args);
console.log(JSON.stringify(report));
// A scene that is stuck must not keep the process.
process.exit(report.ok ? 0 : 1);
