import { type Description, DESCRIPTION_FIELDS } from '@malote/numbering';
import type { SignedIn } from '../../auth/signed-in.ts';
import type { NextNumberDto, NumberDto, NumberEventDto } from '../../numbers/number.dto.ts';
import { attributes, type Html, html, type Insert } from '../html.ts';
import { text } from '../messages.ts';
import { EMPTY, type FormState, summary, textArea, textField } from './form.ts';
import { doneNotice, layout } from './layout.ts';
import { copyButton, numberText, stateTag } from './number-parts.ts';
import { dateAndTime, timeTag } from './time.ts';

const SHORT_SEAL = 12;

export interface TakeView {
  readonly next: NextNumberDto;
  /** The same form sent twice is one number. */
  readonly key: string;
  readonly state: FormState;
}

export function takePage(user: SignedIn, { next, key, state }: TakeView): Html {
  const { submit, will, unless } = text.take;
  return layout(user, {
    title: text.take.title(next.documentTypeName),
    heading: next.documentTypeName,
    section: 'home',
    isNarrow: true,
    isRefusal: state.problem !== undefined,
    body: html`<p class="preview">
        <span class="label">${will}</span> ${numberText(next)} <span class="label">${unless}</span>
      </p>
      <form method="post" action="/numeros" class="panel" novalidate>
        ${summary(state)}
        <input type="hidden" name="key" value="${key}" />
        <input type="hidden" name="documentTypeId" value="${next.documentTypeId}" />
        ${descriptionFields(state)}
        <p class="buttons"><button>${submit}</button> <a class="button quiet" href="/">${text.back}</a></p>
      </form>`,
  });
}

/** The form was changed and sent again after it had got its number. */
export function keyUsedPage(
  user: SignedIn,
  { id, formattedNumber, documentTypeId }: { id: string; formattedNumber: string; documentTypeId: string },
): Html {
  const { usedTitle, used, see, another } = text.take;
  return layout(user, {
    title: usedTitle,
    section: 'home',
    isNarrow: true,
    isRefusal: true,
    body: html`<p class="result"><span class="figure">${formattedNumber}</span></p>
      <p class="lead">${used}</p>
      <p class="buttons">
        <a class="button" href="/numeros/${id}">${see(formattedNumber)}</a>
        <a class="button quiet" href="/novo/${documentTypeId}">${another}</a>
      </p>`,
  });
}

export interface NumberView {
  readonly number: NumberDto;
  /** All that happened to it, oldest first. */
  readonly events: readonly NumberEventDto[];
  readonly mayChange: boolean;
  readonly done: string | undefined;
}

export function numberPage(user: SignedIn, { number, events, mayChange, done }: NumberView): Html {
  const { title, yours, again, amend, annul, seeRegister } = text.number;
  const { formattedNumber, documentTypeId, documentTypeName, user: owner, annulment } = number;
  const isMine = owner.id === user.id;
  return layout(user, {
    title: title(formattedNumber),
    heading: isMine && !annulment ? yours : title(formattedNumber),
    section: 'home',
    isNarrow: true,
    body: html`${doneNotice(done)}
      <div class="result${annulment && ' is-annulled'}">
        <p class="result-type">${documentTypeName} ${annulment && stateTag(number)}</p>
        <p class="result-number">${numberText(number)}</p>
        ${!annulment && copyButton(formattedNumber, 'large')}
      </div>
      ${annulment && annulmentNote(annulment)} ${factsOf(number)} ${events.length > 1 && historyOf(events)}
      <p class="buttons">
        <a class="button" href="/novo/${documentTypeId}">${again(documentTypeName)}</a>
        <a class="button quiet" href="/registro">${seeRegister}</a>
        ${
          mayChange &&
          html`<a class="button quiet" href="/numeros/${number.id}/corrigir">${amend}</a>
            <a class="button quiet danger" href="/numeros/${number.id}/anular">${annul}</a>`
        }
      </p>`,
  });
}

export interface AmendView {
  readonly number: NumberDto;
  /** The hash of the entry whose description is shown: what somebody else wrote meanwhile is not written over. */
  readonly seen: string;
  readonly state: FormState;
}

export function amendPage(user: SignedIn, { number, seen, state }: AmendView): Html {
  const { title, explanation, submit } = text.amend;
  return layout(user, {
    title: title(number.formattedNumber),
    section: 'register',
    isNarrow: true,
    isRefusal: state.problem !== undefined,
    body: html`<p class="preview">
        ${numberText(number)} <span class="label">${number.documentTypeName}</span>
      </p>
      <p class="lead">${explanation}</p>
      <form method="post" action="/numeros/${number.id}/corrigir" class="panel" novalidate>
        ${summary(state)} <input type="hidden" name="seen" value="${seen}" /> ${descriptionFields(state)}
        <p class="buttons">
          <button>${submit}</button> <a class="button quiet" href="/numeros/${number.id}">${text.back}</a>
        </p>
      </form>`,
  });
}

export function annulPage(user: SignedIn, number: NumberDto, state: FormState = EMPTY): Html {
  const { title, warning, consequences, reason, reasonHint, submit } = text.annul;
  return layout(user, {
    title: title(number.formattedNumber),
    section: 'register',
    isNarrow: true,
    isRefusal: state.problem !== undefined,
    body: html`<div class="result">
        <p class="result-type">${number.documentTypeName}</p>
        <p class="result-number">${numberText(number)}</p>
        ${number.subject !== null && html`<p>${number.subject}</p>`}
      </div>
      <div class="notice warning">
        <p><strong>${warning}</strong></p>
        <p>${consequences}</p>
      </div>
      <form method="post" action="/numeros/${number.id}/anular" class="panel" novalidate>
        ${summary(state)}
        ${textArea(state, { name: 'reason', label: reason, hint: reasonHint, maxLength: 500 })}
        <p class="buttons">
          <button class="danger">${submit}</button>
          <a class="button quiet" href="/numeros/${number.id}">${text.back}</a>
        </p>
      </form>`,
  });
}

function annulmentNote({ by, at, reason }: NonNullable<NumberDto['annulment']>): Html {
  return html`<div class="notice warning">
    <p><strong>${text.number.annulledBy(by.name, dateAndTime(at))}</strong></p>
    <p>${text.number.reason}: ${reason}</p>
  </div>`;
}

function factsOf(number: NumberDto): Html {
  const { by, at, seal, sealHint } = text.number;
  const { user, generatedAt, hash } = number;
  return html`<dl class="facts">
    ${descriptionFacts(number)} ${fact(by, user.name)} ${fact(at, timeTag(generatedAt))}
    ${fact(
      seal,
      html`<details>
        <summary><code>${hash.slice(0, SHORT_SEAL)}…</code></summary>
        <p><code class="long">${hash}</code></p>
        <p class="hint">${sealHint}</p>
      </details>`,
    )}
  </dl>`;
}

function descriptionFacts(said: Description): Html[] {
  return DESCRIPTION_FIELDS.flatMap((name) => {
    const value = said[name];
    return value === null ? [] : [fact(text.take[name], value)];
  });
}

/** What was said of the number, each time it was said. */
function historyOf(events: readonly NumberEventDto[]): Html {
  return html`<section>
    <h2>${text.number.history}</h2>
    <ol class="events">
      ${events.map(
        (event) =>
          html`<li>
            <p><strong>${text.events[event.kind]}</strong> · ${event.by.name} · ${timeTag(event.at)}</p>
            ${event.kind === 'annulled' ? html`<p>${event.reason}</p>` : html`<dl class="facts">${descriptionFacts(event)}</dl>`}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** What most need, and what some do: open when there is something in it. */
function descriptionFields(state: FormState): Html {
  const { subject, subjectHint, recipient, recipientHint, more, processNumber, processHint, notes } =
    text.take;
  const shared = { isOptional: true, autocomplete: 'off' } as const;
  const isOpen = ['processNumber', 'notes'].some(
    (name) => state.values[name] !== undefined || state.problem?.fields[name] !== undefined,
  );
  return html`${textField(state, { ...shared, name: 'subject', label: subject, hint: subjectHint, maxLength: 200, isFocused: true })}
    ${textField(state, { ...shared, name: 'recipient', label: recipient, hint: recipientHint, maxLength: 200 })}
    <details class="extra" ${attributes({ open: isOpen })}>
      <summary>${more} <span class="optional">${text.optional}</span></summary>
      ${textField(state, { ...shared, name: 'processNumber', label: processNumber, hint: processHint, maxLength: 50 })}
      ${textArea(state, { name: 'notes', label: notes, maxLength: 500, isOptional: true })}
    </details>`;
}

function fact(name: string, value: Insert): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div> `;
}
