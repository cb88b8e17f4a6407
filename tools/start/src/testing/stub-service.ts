import { createServer } from 'node:http';

/** Behaves like a service as far as the suite can see; `STUB_DIES` names the port of one that gives up. */
const port = Number(process.env.PORT);
const dies = process.env.STUB_DIES === String(port);

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
  server.close();
  server.closeAllConnections();
});
