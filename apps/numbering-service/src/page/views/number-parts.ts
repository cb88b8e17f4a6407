import type { NumberDto } from '../../numbers/number.dto.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';

/** The prefix stands beside the number and is no part of it. */
export function numberText({ prefix, formattedNumber }: Pick<NumberDto, 'prefix' | 'formattedNumber'>): Html {
  return html`${prefix !== null && html`<span class="prefix">${prefix}</span> `}<span class="figure"
      >${formattedNumber}</span
    >`;
}

export function numberLink(number: NumberDto): Html {
  return html`<a class="number" href="/numeros/${number.id}">${numberText(number)}</a>`;
}

/** Only a script can copy; without one there is no button. */
export function copyButton(what: string, className = ''): Html {
  return html`<button
    type="button"
    class="copy needs-script ${className}"
    data-copy="${what}"
    aria-label="${text.number.copyOf(what)}"
  >
    ${text.number.copy}
  </button>`;
}

export function stateTag({ state }: Pick<NumberDto, 'state'>): Html {
  return html`<span class="tag ${state}">${text.states[state]}</span>`;
}

/** Said in words as well: a line through the number alone is not heard. */
export function stateWithReason({ state, annulment }: NumberDto): Html {
  return html`${stateTag({ state })}${annulment && html` <span class="reason">${annulment.reason}</span>`}`;
}
