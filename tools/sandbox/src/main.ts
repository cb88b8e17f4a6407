import { ConfigError, loadConfig, Log, processEnvironment } from '@malote/service-kit';
import { SandboxConfig } from './sandbox.config.ts';
import { createSandbox } from './sandbox.ts';

/** sysexits.h: wrong configuration. */
const EX_CONFIG = 78;

function configOrExit(): SandboxConfig {
  try {
    return loadConfig(SandboxConfig, processEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`sandbox: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
}

const config = configOrExit();
const log = new Log('sandbox', config);
const sandbox = createSandbox(config, log);

async function end(exitCode: number): Promise<never> {
  await log.close();
  process.exit(exitCode);
}

async function stop(signal: NodeJS.Signals): Promise<never> {
  log.info('stopping', { signal });
  await sandbox.close();
  log.info('stopped', { signal });
  return end(0);
}

process.once('SIGTERM', (signal) => void stop(signal));
process.once('SIGINT', (signal) => void stop(signal));

try {
  const url = await sandbox.listen({ port: config.port, host: config.host });
  log.info('listening', { url, nodeEnv: config.nodeEnv });
} catch (err) {
  log.fatal('The sandbox could not start', { err });
  await end(1);
}
