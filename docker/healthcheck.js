/** Exit code 0 when the service beside it is ready; the runtime image has no shell and no curl. */
const timeoutMs = 4_000;
const url = `http://127.0.0.1:${process.env.PORT}/health/ready`;

const ready = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
