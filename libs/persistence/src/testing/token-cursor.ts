import { type Token, tokenize } from '../schema/tsql-tokens.ts';

/** A place in the tokens of a batch; what does not fit is an error, never a guess. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(sql: string) {
    this.#tokens = tokenize(sql);
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }

  skip(): void {
    this.#at += 1;
  }

  is(...words: string[]): boolean {
    return words.every((word, index) => {
      const token = this.#tokens[this.#at + index];
      return token?.kind !== 'string' && token?.text.toUpperCase() === word.toUpperCase();
    });
  }

  /** Steps over the words if they come next. */
  take(...words: string[]): boolean {
    if (!this.is(...words)) return false;
    this.#at += words.length;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) throw this.confused(`${word} was expected`);
  }

  name(): string {
    return this.#next('word');
  }

  string(): string {
    return this.#next('string');
  }

  /** `dbo.TB_X` or `TB_X`. */
  tableName(): string {
    const first = this.name();
    return this.take('.') ? this.name() : first;
  }

  /** `(A, B DESC)`: SQL Server reads an index both ways, so the direction is left out. */
  names(): string[] {
    this.expect('(');
    const names: string[] = [];
    do {
      names.push(this.name());
      if (!this.take('ASC')) this.take('DESC');
    } while (this.take(','));
    this.expect(')');
    return names;
  }

  /** What stands between the parenthesis that comes next and its partner. */
  parenthesised(): Token[] {
    this.expect('(');
    const inside: Token[] = [];
    for (let depth = 1; ;) {
      if (this.done) throw this.confused('a parenthesis is not closed');
      if (this.is('(')) depth += 1;
      if (this.is(')')) depth -= 1;
      if (depth === 0) break;
      inside.push(...this.#tokens.slice(this.#at, this.#at + 1));
      this.skip();
    }
    this.expect(')');
    return inside;
  }

  /** A literal, a signed number, a call, or anything in parentheses. */
  value(): Token[] {
    if (this.is('(')) return this.parenthesised();
    const start = this.#at;
    this.take('-');
    this.skip();
    if (this.is('(')) this.parenthesised();
    return this.#tokens.slice(start, this.#at);
  }

  until(symbol: string): Token[] {
    const start = this.#at;
    while (!this.done && !this.is(symbol)) this.skip();
    return this.#tokens.slice(start, this.#at);
  }

  confused(about: string): Error {
    const here = this.#tokens.slice(Math.max(0, this.#at - 4), this.#at + 4).map(({ text }) => text);
    return new Error(`the script reader does not understand ${about}, near "${here.join(' ')}"`);
  }

  #next(kind: Token['kind']): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) throw this.confused(`what is no ${kind}`);
    this.skip();
    return token.text;
  }
}
