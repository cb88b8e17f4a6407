import { parseSetCookie } from 'cookie';
import { type NumberingApi } from '../../testing/numbering-api.ts';

export interface ReadPage {
  readonly status: number;
  readonly headers: Headers;
  /** Where it leads, if it does. */
  readonly location: string | null;
  readonly text: string;
}

type Fields = Readonly<Record<string, string>>;
type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Fields };

/** A browser without scripts: follows no redirect unasked, keeps the cookie, sends forms as forms. */
export class PageReader {
  /** As it is sent. */
  cookie = '';

  constructor(private readonly api: Pick<NumberingApi, 'service'>) {}

  get(path: string, headers: Fields = {}): Promise<ReadPage> {
    return this.send(path, { headers });
  }

  post(path: string, fields: Fields = {}, headers: Fields = {}): Promise<ReadPage> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async send(path: string, { headers, ...init }: Sent): Promise<ReadPage> {
    const response = await this.api.service.fetch(path, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers, ...(this.cookie !== '' && { cookie: this.cookie }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const { name, value } = parseSetCookie(set);
      this.cookie = value === '' || value === undefined ? '' : `${name}=${value}`;
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  }

  async logIn(email: string, password: string, next = '/'): Promise<void> {
    const { location, text } = await this.post('/entrar', { email, password });
    if (location !== next) throw new Error(`${email} was led to ${location ?? text}`);
  }

  /** Fills in the form of a type; returns where the number is. */
  async take(documentTypeId: string, fields: Fields = {}): Promise<string> {
    const form = await this.get(`/novo/${documentTypeId}`);
    const { location, text } = await this.post('/numeros', {
      documentTypeId,
      key: valueOf(form, 'key'),
      ...fields,
    });
    if (location === null) throw new Error(text);
    return location;
  }
}

/** Of the field with this name, as a browser would send it. */
export function valueOf({ text }: ReadPage, name: string): string {
  const tag = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? '';
  const value = /value="([^"]*)"/.exec(tag)?.[1];
  if (value === undefined) throw new Error(`There is no field ${name}`);
  return value;
}

/** What people read, blanks as one. */
export function wordsOf({ text }: Pick<ReadPage, 'text'>): string {
  return text
    .replace(/^[\s\S]*<main/, '<main')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
