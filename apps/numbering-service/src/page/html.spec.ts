import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attributes, html, type Insert } from './html.ts';

const made = (insert: Insert) => html`<p>${insert}</p>`.toString();

describe('html', () => {
  it('escapes text between tags', () => {
    expect(made(`<script>alert("1 & 2")</script>'`)).toBe(
      '<p>&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;&#39;</p>',
    );
  });

  it('keeps text inside the quotes of an attribute', () => {
    const evil = '" autofocus onfocus="alert(1)';
    expect(html`<input value="${evil}" title="${"it's"}" />`.toString()).toBe(
      `<input value="&quot; autofocus onfocus=&quot;alert(1)" title="it&#39;s" />`,
    );
  });

  it('takes markup as it is, and escapes what was put into it once', () => {
    expect(made(html`<b>${'a < b'}</b>`)).toBe('<p><b>a &lt; b</b></p>');
  });

  it('puts the items of lists one after the other, escaped each', () => {
    expect(made(['<', [html`<br />`, 7], '>'])).toBe('<p>&lt;<br />7&gt;</p>');
  });

  it.each<[Insert]>([[null], [undefined], [false], [[]], ['']])('makes nothing of %p', (insert) => {
    expect(made(insert)).toBe('<p></p>');
  });

  it('shows the number zero', () => {
    expect(made(0)).toBe('<p>0</p>');
  });

  it('lets no text out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(made(text).slice(3, -4)).not.toMatch(/[<>"']/);
      }),
    );
  });
});

describe('attributes', () => {
  it('leaves out what is absent, and escapes what is there', () => {
    const made = attributes({
      title: '"<&',
      maxlength: 20,
      required: true,
      disabled: false,
      lang: undefined,
    });
    expect(made.toString()).toBe('title="&quot;&lt;&amp;" maxlength="20" required');
  });
});
