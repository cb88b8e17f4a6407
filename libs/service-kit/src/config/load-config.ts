import { readFileSync } from 'node:fs';
import { validateSync } from 'class-validator';
import { errorCode } from '../error-code.ts';
import { ConfigError } from './config-error.ts';
import { convert } from './convert.ts';
import { type EnvKind, type EnvVariable, envVariables } from './env.decorator.ts';

interface Unusable {
  readonly problem: string;
  /** The variable, where it is not the one that was asked for. */
  readonly name?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A config class may add rules that span variables; they run even when single variables are missing, so that one start shows it all. */
interface CrossChecked {
  problems?(): string[];
}

/** Reads, converts and validates everything one process takes from its environment; throws one `ConfigError` that names all problems. */
export function loadConfig<T extends object>(configClass: new () => T, env: Environment): T {
  const config = new configClass();
  const variables = envVariables(configClass);
  const unusable = new Set<string>();
  const problems: string[] = [];
  const inProduction = isProduction(env);
  const singles = new Set(variables.filter(({ as }) => as !== 'group').map(({ name }) => name));

  for (const variable of variables) {
    const outcome =
      variable.as === 'group'
        ? readGroup(variable.name, env, singles)
        : readVariable(variable, variable.as ?? 'text', env, inProduction);
    if ('problem' in outcome) {
      problems.push(`${outcome.name ?? variable.name} ${outcome.problem}`);
      unusable.add(variable.property);
    } else if (outcome.value !== undefined) {
      Object.assign(config, { [variable.property]: outcome.value });
    }
  }

  const names = new Map(variables.map(({ property, name }) => [property, name]));
  for (const { property, constraints } of validateSync(config, { validationError: { value: false } })) {
    if (unusable.has(property)) continue;
    const name = names.get(property) ?? property;
    problems.push(...Object.values(constraints ?? {}).map((text) => text.replace(property, name)));
  }
  problems.push(...((config as CrossChecked).problems?.() ?? []));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Read like every other variable, so that it cannot differ from the value the service sees; unreadable counts as production. */
function isProduction(env: Environment): boolean {
  const given = readText('NODE_ENV', env);
  return 'problem' in given || given.text === 'production';
}

function readVariable(
  variable: EnvVariable,
  kind: Exclude<EnvKind, 'group'>,
  env: Environment,
  inProduction: boolean,
): { value: unknown } | Unusable {
  const given = readText(variable.name, env);
  if ('problem' in given) return given;
  const fallback = (inProduction ? variable.production : variable.development) ?? variable.default;
  const text = given.text ?? fallback;
  if (text !== undefined) return convert(text, kind);
  if (inProduction && variable.development !== undefined) return { problem: 'must be set in production' };
  return { value: undefined };
}

/** What is bound to a property of its own is none of the group's business, least of all a secret. */
function readGroup(
  prefix: string,
  env: Environment,
  singles: ReadonlySet<string>,
): { value: unknown } | Unusable {
  const group: Record<string, string> = {};
  const names = Object.keys(env).filter((name) => name.startsWith(prefix) && name !== `${prefix}FILE`);
  for (const name of new Set(names.map((given) => given.replace(/_FILE$/, '')))) {
    if (singles.has(name)) continue;
    const given = readText(name, env);
    if ('problem' in given) return { ...given, name };
    if (given.text !== undefined) group[name.slice(prefix.length)] = given.text;
  }
  return { value: Object.freeze(group) };
}

function readText(name: string, env: Environment): { text: string | undefined } | { problem: string } {
  const direct = env[name]?.trim();
  const file = env[`${name}_FILE`]?.trim();
  if (direct && file) return { problem: `and ${name}_FILE are both set; keep one` };
  if (!file) return { text: direct === '' ? undefined : direct };
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? { problem: `(${name}_FILE) names an empty file` } : { text };
  } catch (error) {
    return {
      problem: `(${name}_FILE) names a file that cannot be read: ${errorCode(error) ?? 'unknown error'}`,
    };
  }
}
