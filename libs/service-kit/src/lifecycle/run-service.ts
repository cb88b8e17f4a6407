import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load-config.ts';
import { processEnvironment, type ServiceConfig } from '../config/service.config.ts';
import { Log } from '../logging/log.ts';
import { createService, type ServiceDefinition } from './create-service.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** sysexits.h: the configuration is wrong, so starting again without a change is no use. */
const EX_CONFIG = 78;

/** The life of a service process, from its environment to its exit code. */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const config = readConfig(definition);
  const log = new Log(definition.name, config);
  process.on('uncaughtException', (error) => {
    void fail(log, 'Uncaught error', error);
  });
  process.on('unhandledRejection', (reason) => {
    void fail(log, 'Unhandled rejection', reason);
  });
  try {
    const app = await createService(definition, config, log);
    stopOnSignal(app, config, log);
    await app.listen(config.port, config.host);
    log.info('listening', { url: await app.getUrl(), nodeEnv: config.nodeEnv });
  } catch (error) {
    await fail(log, 'The service could not start', error);
  }
}

function readConfig<C extends ServiceConfig>({ name, configClass }: ServiceDefinition<C>): C {
  try {
    return loadConfig(configClass, processEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
}

async function fail(log: Log, message: string, err: unknown): Promise<never> {
  log.fatal(message, { err });
  await log.close();
  process.exit(1);
}
