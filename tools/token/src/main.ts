import { ConfigError, loadConfig, signDevToken } from '@malote/service-kit';
import { readOptions, type TokenOptions, USAGE } from './options.ts';
import { TokenConfig } from './token.config.ts';

/** sysexits.h: wrong usage, wrong configuration. */
const EX_USAGE = 64;
const EX_CONFIG = 78;

function fail(exitCode: number, text: string): never {
  console.error(text);
  process.exit(exitCode);
}

function optionsOrExit(): TokenOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return fail(EX_USAGE, `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function configOrExit(): TokenConfig {
  try {
    return loadConfig(TokenConfig, process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(EX_CONFIG, error.message);
    throw error;
  }
}

const { help, ...options } = optionsOrExit();
if (help) {
  console.log(USAGE);
} else {
  const { devKeyPath: keyPath, jwtIssuer: issuer, jwtAudience: audience } = configOrExit();
  console.log(await signDevToken({ keyPath, issuer, audience, ...options }));
}
