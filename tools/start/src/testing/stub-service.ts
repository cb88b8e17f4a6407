import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Behaves like a service as far as the suite can see; `STUB_DIES` and `STUB_IS_CUT_OFF` name the ports of those that end badly. */
const port = Number(process.env.PORT);
const isCutOff = process.env.STUB_IS_CUT_OFF === String(port);
const dies = process.env.STUB_DIES === String(port);

if (process.env.STUB_STARTS_SLOWLY) {
  console.log('starting');
  await sleep(10_000);
}
const server = createServer((_, response) => {
  response.end('ok');
});
server.listen(port, () => {
  console.log(JSON.stringify({ level: 30, time: Date.now(), msg: `listening on ${port}` }));
  if (!dies) return;
  console.error('the disk is full');
  process.exit(7);
});
process.on('SIGTERM', () => {
  if (process.env.STUB_IGNORES_SIGTERM) return;
  if (isCutOff) {
    console.log('stopped before everything was finished');
    process.exitCode = 1;
  }
  server.close();
  server.closeAllConnections();
});
