import type { SignedIn } from '../../auth/signed-in.ts';
import type { NextNumberDto, NumberDto } from '../../numbers/number.dto.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { doneNotice, layout } from './layout.ts';
import { copyButton, numberLink, stateTag } from './number-parts.ts';
import { hourOf, timeTag } from './time.ts';

export interface HomeView {
  readonly next: readonly NextNumberDto[];
  readonly mine: readonly NumberDto[];
  readonly now: Date;
  readonly done: string | undefined;
}

export function homePage(user: SignedIn, { next, mine, now, done }: HomeView): Html {
  const { question, all, mine: mineTitle, noneMine, noTypes } = text.home;
  return layout(user, {
    title: text.home.title,
    section: 'home',
    heading: `${greetingAt(now)}, ${firstName(user.name)}`,
    body: html`${doneNotice(done)}
      <div id="selo" hx-get="/auditoria/selo" hx-trigger="load" hx-swap="innerHTML">
        <p class="badge"><a href="/auditoria">${text.audit.check}</a></p>
      </div>
      <section aria-labelledby="pergunta">
        <h2 id="pergunta">${question}</h2>
        ${
          next.length === 0
            ? html`<p>${noTypes}</p>`
            : html`<ul
                id="proximos"
                class="types"
                hx-get="/proximos"
                hx-trigger="every 15s"
                hx-swap="innerMorph"
              >
                ${nextNumbers(next)}
              </ul>`
        }
      </section>
      <section aria-labelledby="meus">
        <h2 id="meus">${mineTitle}</h2>
        ${
          mine.length === 0
            ? html`<p>${noneMine}</p>`
            : html`<ul class="mine">
                ${mine.map(mineItem)}
              </ul>`
        }
        <p class="more"><a href="/registro">${all}</a></p>
      </section>`,
  });
}

/** The list alone, which a page that stays open asks for again and again. */
export function nextNumbers(next: readonly NextNumberDto[]): Html[] {
  return next.map(
    ({ documentTypeId, documentTypeName, prefix, formattedNumber }) =>
      html`<li id="tipo-${documentTypeId}">
        <a class="type" id="pegar-${documentTypeId}" href="/novo/${documentTypeId}">
          <span class="type-name">${documentTypeName}</span
          >${prefix !== null && html` <span class="prefix">${prefix}</span>`}
          <span class="type-next"
            ><span class="label">${text.home.next}</span> <span class="figure">${formattedNumber}</span></span
          >
        </a>
      </li> `,
  );
}

function mineItem(number: NumberDto): Html {
  const isAnnulled = number.state === 'annulled';
  return html`<li ${isAnnulled && html`class="is-annulled"`}>
    <span class="mine-number">${numberLink(number)}</span>
    <span class="mine-about">${number.subject ?? number.documentTypeName}</span>
    <span class="mine-when">${timeTag(number.generatedAt)}</span>
    <span class="mine-state">${stateTag(number)}</span>
    ${!isAnnulled && copyButton(number.formattedNumber, 'small')}
  </li> `;
}

function greetingAt(now: Date): string {
  const { morning, afternoon, evening } = text.home.greeting;
  const hour = hourOf(now);
  if (hour >= 5 && hour < 12) return morning;
  return hour >= 12 && hour < 18 ? afternoon : evening;
}

function firstName(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}
