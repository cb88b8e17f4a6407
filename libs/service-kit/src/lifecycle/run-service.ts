import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load-config.ts';
import { processEnvironment, type ServiceConfig } from '../config/service.config.ts';
import { Log } from '../logging/log.ts';
import { createService, type ServiceDefinition } from './create-service.ts';
import { EXIT, ProcessEnd } from './process-end.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** The life of a service process, from its environment to its exit code. */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const config = readConfig(definition);
  const log = new Log(definition.name, config);
  const end = new ProcessEnd(log);
  end.onFaults();
  try {
    const app = await createService(definition, config, log);
    stopOnSignal(app, config, log, end);
    await app.listen(config.port, config.host);
    log.info('listening', { url: await app.getUrl(), nodeEnv: config.nodeEnv });
  } catch (err) {
    await end.with(EXIT.notInOrder, 'fatal', 'The service could not start', { err });
  }
}

function readConfig<C extends ServiceConfig>({ name, configClass }: ServiceDefinition<C>): C {
  try {
    return loadConfig(configClass, processEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(EXIT.configuration);
  }
}
