import { type AskConfig, type RetryConfig } from '@malote/retry-policy';
import { convert } from '@malote/service-kit';
import { LANE_DEFAULTS, type LaneSettings } from '../engine/lane-settings.ts';

interface LaneVariable {
  /** As it stands after `OUTBOX_`. */
  readonly name: string;
  readonly kind: 'integer' | 'duration';
  readonly least: number;
  readonly most?: number;
  apply(settings: Draft, value: number): void;
}

type Draft = { -readonly [K in keyof Omit<LaneSettings, 'retry' | 'ask'>]: LaneSettings[K] } & {
  readonly retry: { -readonly [K in keyof RetryConfig]: RetryConfig[K] };
  readonly ask: { -readonly [K in keyof AskConfig]: AskConfig[K] };
};

/** Longer, and T-SQL could not add it to a moment. */
const DAY_SECONDS = 24 * 3_600;

const VARIABLES: readonly LaneVariable[] = [
  {
    name: 'LEASE_SECONDS',
    kind: 'integer',
    least: 1,
    most: DAY_SECONDS,
    apply: (s, value) => (s.leaseMs = value * 1_000),
  },
  // A claim locks its rows in one statement, and SQL Server escalates near five thousand locks.
  { name: 'BATCH', kind: 'integer', least: 1, most: 1_000, apply: (s, value) => (s.batch = value) },
  {
    name: 'CONCURRENCY',
    kind: 'integer',
    least: 1,
    most: 1_000,
    apply: (s, value) => (s.concurrency = value),
  },
  // More often, and an idle process would load the database.
  { name: 'POLL', kind: 'duration', least: 200, apply: (s, value) => (s.pollMs = value) },
  {
    name: 'TIMEOUT_SECONDS',
    kind: 'integer',
    least: 1,
    most: DAY_SECONDS,
    apply: (s, value) => (s.requestTimeoutMs = value * 1_000),
  },
  {
    name: 'DELIVERY_LIMIT',
    kind: 'duration',
    least: 100,
    most: DAY_SECONDS * 1_000,
    apply: (s, value) => (s.deliveryLimitMs = value),
  },
  { name: 'MAX_ATTEMPTS', kind: 'integer', least: 1, apply: (s, value) => (s.retry.maxAttempts = value) },
  { name: 'MAX_ABANDONMENTS', kind: 'integer', least: 2, apply: (s, value) => (s.maxAbandonments = value) },
  { name: 'RETRY_BASE', kind: 'duration', least: 1, apply: (s, value) => (s.retry.baseMs = value) },
  { name: 'RETRY_CAP', kind: 'duration', least: 1, apply: (s, value) => (s.retry.capMs = value) },
  { name: 'ASK_BASE', kind: 'duration', least: 1, apply: (s, value) => (s.ask.baseMs = value) },
  { name: 'ASK_LIMIT', kind: 'integer', least: 1, apply: (s, value) => (s.ask.limit = value) },
  { name: 'ASK_SLOW', kind: 'duration', least: 1, apply: (s, value) => (s.ask.slowMs = value) },
  { name: 'ASK_QUIET', kind: 'duration', least: 0, apply: (s, value) => (s.ask.quietMs = value) },
];

/** What the environment says of lanes: `OUTBOX_BATCH` of all of them, `OUTBOX_BATCH_GATEWAY_SEND` of the one called gateway-send. */
export class LaneVariables {
  /** Texts by what follows `OUTBOX_`; undefined when one of them could not be read. */
  constructor(private readonly texts: Readonly<Record<string, string>> = {}) {}

  /** What is wrong with them, for a process to refuse to start with. */
  problems(): string[] {
    return Object.entries(this.texts).flatMap(([name, text]) => {
      const variable = variableOf(name);
      const problem = variable && problemOf(variable, text);
      return problem ? [`OUTBOX_${name} ${problem}`] : [];
    });
  }

  /** Names that belong to none of these lanes: a misspelt one would be passed over without a word. */
  strays(lanes: readonly string[]): string[] {
    const suffixes = new Set(lanes.map(suffixOf));
    return Object.keys(this.texts).flatMap((name) => {
      const variable = variableOf(name);
      if (!variable || name === variable.name) return [];
      return suffixes.has(name.slice(variable.name.length + 1)) ? [] : [`OUTBOX_${name}`];
    });
  }

  settingsOf(lane: string): LaneSettings {
    const settings: Draft = {
      ...LANE_DEFAULTS,
      retry: { ...LANE_DEFAULTS.retry },
      ask: { ...LANE_DEFAULTS.ask },
    };
    for (const variable of VARIABLES) {
      const text = this.texts[`${variable.name}_${suffixOf(lane)}`] ?? this.texts[variable.name];
      const converted = text === undefined ? undefined : convert(text, variable.kind);
      if (converted && 'value' in converted) variable.apply(settings, Number(converted.value));
    }
    return settings;
  }
}

function variableOf(name: string): LaneVariable | undefined {
  return VARIABLES.find((variable) => name === variable.name || name.startsWith(`${variable.name}_`));
}

function suffixOf(lane: string): string {
  return lane.toUpperCase().replaceAll('-', '_');
}

function problemOf({ kind, least, most = Infinity }: LaneVariable, text: string): string | undefined {
  const converted = convert(text, kind);
  if ('problem' in converted) return converted.problem;
  const value = Number(converted.value);
  const unit = kind === 'duration' ? ' ms' : '';
  if (value < least) return `must not be less than ${least}${unit}`;
  return value > most ? `must not be greater than ${most}${unit}` : undefined;
}
