type Environment = Readonly<Record<string, string | undefined>>;

export interface ChosenDatabase {
  /** What to add to the services' environment: they refuse a start with both forms set, so none is added to either. */
  readonly env: Environment;
  /** For a person; never the password. */
  readonly description: string;
}

const embedded = 'sqlite:.malote/malote.db';

/** The database the caller's environment names, or the embedded one. Like the services, takes an empty variable for none. */
export function chooseDatabase({ DATABASE_URL, DATABASE_URL_FILE }: Environment): ChosenDatabase {
  const url = DATABASE_URL?.trim();
  const file = DATABASE_URL_FILE?.trim();
  if (url) return { env: {}, description: withoutPassword(url) };
  if (file) return { env: {}, description: `the one ${file} names` };
  return { env: { DATABASE_URL: embedded }, description: embedded };
}

function withoutPassword(url: string): string {
  return url.replace(/(\/\/[^:@/]*):[^@]*@/, '$1:***@');
}
