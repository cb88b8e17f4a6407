/** The database the services will take from this environment, for a person; never the password. */
export function describeDatabase(env: Readonly<Record<string, string | undefined>>): string {
  const url = env.DATABASE_URL?.trim();
  const file = env.DATABASE_URL_FILE?.trim();
  if (url) return url.replace(/(\/\/[^:@/]*):[^@]*@/, '$1:***@');
  return file ? `the one ${file} names` : 'an embedded SQLite file, .malote/malote.db';
}
