import { type Service } from './services.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A NODE_ENV from a file is taken for production, as long as nobody has read it. */
export function isDevelopment(env: Environment): boolean {
  return env.NODE_ENV?.trim() !== 'production' && !env.NODE_ENV_FILE?.trim();
}

/** Where services and sandbox find each other, unless the environment says otherwise. */
export function wiring(services: readonly Service[], sandbox: Service, env: Environment): Environment {
  const ticketApi = services.find(({ name }) => name === 'ticket-api');
  const addresses = {
    GATEWAY_URL: `http://127.0.0.1:${sandbox.port}/gateway`,
    ...(ticketApi && { CALLBACK_URL: `http://127.0.0.1:${ticketApi.port}/api/tickets/callback` }),
  };
  const isSet = (name: string) => [env[name], env[`${name}_FILE`]].some((value) => value?.trim());
  return Object.fromEntries(Object.entries(addresses).filter(([name]) => !isSet(name)));
}
