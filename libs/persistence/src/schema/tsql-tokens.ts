export interface Token {
  readonly kind: 'word' | 'string' | 'symbol';
  /** Names without their brackets, strings without their quotes. */
  readonly text: string;
}

const TOKEN =
  /(?<skip>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|N?'(?<string>(?:[^']|'')*)'|\[(?<bracketed>[^\]]*)\]|"(?<quoted>[^"]*)"|(?<word>[@#\w]+)|(?<symbol><>|<=|>=|!=|[\s\S])/g;

export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups = {} } of sql.matchAll(TOKEN)) {
    const { skip, string, bracketed, quoted, word, symbol } = groups;
    const name = bracketed ?? quoted ?? word;
    if (skip !== undefined) continue;
    if (string !== undefined) tokens.push({ kind: 'string', text: string.replaceAll("''", "'") });
    else if (name !== undefined) tokens.push({ kind: 'word', text: name });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
  }
  return tokens;
}

/** The same expression is the same text, however it was spaced, bracketed or wrapped in parentheses. */
export function sqlText(sql: string | readonly Token[]): string {
  let tokens = typeof sql === 'string' ? tokenize(sql) : sql;
  while (isWrapped(tokens)) tokens = tokens.slice(1, -1);
  return tokens
    .map(({ kind, text }) => (kind === 'string' ? `'${text.replaceAll("'", "''")}'` : text))
    .join(' ')
    .replace(/ ?\( ?/g, (open) => (open.startsWith(' ') ? ' (' : '('))
    .replace(/ ([),])/g, '$1');
}

function isWrapped(tokens: readonly Token[]): boolean {
  if (tokens[0]?.text !== '(' || tokens[0].kind !== 'symbol') return false;
  let depth = 0;
  const closes = tokens.findIndex(({ kind, text }) => {
    if (kind === 'symbol') depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return depth === 0;
  });
  return closes === tokens.length - 1;
}
