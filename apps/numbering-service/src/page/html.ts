/** Markup that is safe to send. Only `html` makes it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** For `html`, which escapes what needs to be. */
  static fromEscaped(markup: string): Html {
    return new Html(markup);
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template can hold: markup as it is, text escaped, lists one after the other, nothing for what is absent. */
export type Insert = Html | string | number | false | null | undefined | readonly Insert[];

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Attribute values must stand in quotes: what is escaped is safe there and between tags, and nowhere else. */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  let markup = parts[0] ?? '';
  inserts.forEach((insert, index) => {
    markup += markupOf(insert) + (parts[index + 1] ?? '');
  });
  return Html.fromEscaped(markup);
}

/** Attributes of a tag, for those that may be absent. Names are the template's own, never what somebody typed. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== false);
  const all = given.map(([name, value]) => (value === true ? name : `${name}="${escaped(String(value))}"`));
  return Html.fromEscaped(all.join(' '));
}

function markupOf(insert: Insert): string {
  if (insert === null || insert === undefined || insert === false) return '';
  if (insert instanceof Html) return insert.toString();
  if (typeof insert === 'object') return insert.map(markupOf).join('');
  return escaped(String(insert));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPED[sign] ?? '');
}
