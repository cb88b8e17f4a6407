import { text } from '../messages.ts';

const WORDS = JSON.stringify({
  copied: text.script.copied('%'),
  copyFailed: text.script.copyFailed,
  notUpdated: text.script.notUpdated,
});

/** Makes what works without it more comfortable. */
export const SCRIPT = `(() => {
  'use strict';
  const words = ${WORDS};
  const IDLE_MS = 10 * 60 * 1000;
  const UNLOCK_MS = 10 * 1000;
  const page = document.documentElement;
  page.classList.add('has-script');

  // What failed is to be seen as well as heard; what went well can be seen where it happened.
  const say = (sentence, className = 'visually-hidden') => {
    const place = document.getElementById('aviso');
    place.textContent = '';
    place.className = className;
    setTimeout(() => { place.textContent = sentence; }, 50);
  };
  const complain = (sentence) => say(sentence, 'notice refused');

  // Without https there is no clipboard, but there is still the selection.
  const copyBySelection = (value) => {
    const place = document.createElement('textarea');
    place.value = value;
    place.className = 'visually-hidden';
    place.setAttribute('aria-hidden', 'true');
    document.body.append(place);
    place.select();
    const done = document.execCommand('copy');
    place.remove();
    if (!done) throw new Error('not copied');
  };

  const copy = async (button) => {
    const value = button.dataset.copy;
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(value).catch(() => copyBySelection(value));
      else copyBySelection(value);
    } catch {
      complain(words.copyFailed);
      return;
    }
    button.focus();
    say(words.copied.replace('%', value));
    button.classList.add('is-done');
    setTimeout(() => button.classList.remove('is-done'), 2000);
  };

  const reveal = (button, isShown) => {
    button.setAttribute('aria-pressed', String(isShown));
    for (const field of button.form.querySelectorAll('[autocomplete$="-password"]')) {
      field.type = isShown ? 'text' : 'password';
    }
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-copy], [data-print], [data-reveal]');
    if (!button) return;
    if ('print' in button.dataset) window.print();
    else if ('reveal' in button.dataset) reveal(button, button.getAttribute('aria-pressed') !== 'true');
    else void copy(button);
  });

  // The server gives one number per form however often it is sent; this only spares people the doubt.
  const unlock = (form) => {
    delete form.dataset.sent;
    form.removeAttribute('aria-busy');
  };
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== 'post') return;
    if ('sent' in form.dataset) {
      event.preventDefault();
      return;
    }
    // A browser offers what was typed into a plain field to the next who types there.
    form.querySelectorAll('[data-reveal]').forEach((button) => reveal(button, false));
    form.dataset.sent = '';
    form.setAttribute('aria-busy', 'true');
    setTimeout(unlock, UNLOCK_MS, form);
  });
  window.addEventListener('pageshow', () => document.querySelectorAll('form[data-sent]').forEach(unlock));

  // A page nobody looks at asks for nothing, so that its session can end.
  let lastSeen = Date.now();
  for (const sign of ['pointerdown', 'keydown', 'scroll', 'focus']) {
    window.addEventListener(sign, () => { lastSeen = Date.now(); }, { passive: true, capture: true });
  }
  document.addEventListener('htmx:before:request', (event) => {
    const isClockwork = event.detail.ctx.sourceEvent?.type === 'every';
    if (isClockwork && (document.hidden || Date.now() - lastSeen > IDLE_MS)) event.preventDefault();
  });

  document.addEventListener('htmx:after:swap', (event) => {
    const { sourceElement, request, response } = event.detail.ctx;
    if (response.status >= 400) return;
    if (document.getElementById('aviso').textContent === words.notUpdated) say('');
    if (!sourceElement.matches('[data-keeps-address]')) return;
    const address = new URL(request.action, location.href);
    for (const [name, value] of [...address.searchParams]) if (value === '') address.searchParams.delete(name);
    history.replaceState(null, '', address.pathname + address.search);
    say(document.querySelector('[data-announce]')?.dataset.announce ?? '');
  });

  for (const failure of ['htmx:response:error', 'htmx:error']) {
    document.addEventListener(failure, () => complain(words.notUpdated));
  }
})();
`;
