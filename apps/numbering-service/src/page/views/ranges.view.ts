import { formatTaxId } from '@malote/brazil';
import { FISCAL_KINDS } from '@malote/numbering';
import type { SignedIn } from '../../auth/signed-in.ts';
import type { NumberRangeDto } from '../../ranges/number-range.dto.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { adminLayout, manageLink } from './admin-layout.ts';
import { type FormState, selectField, summary, textArea, textField } from './form.ts';
import { type Column, table } from './table.ts';

const KINDS = FISCAL_KINDS.map((value) => ({ value, label: text.fiscalKinds[value] }));

const COLUMNS: readonly Column<NumberRangeDto>[] = [
  { label: text.ranges.issuer, cell: issuerOf, isHead: true },
  { label: text.ranges.kind, cell: ({ kind }) => text.fiscalKinds[kind] },
  { label: text.ranges.series, cell: ({ series }) => series },
  { label: text.ranges.last, cell: ({ lastNumber }) => lastNumber, className: 'col-figure' },
  { label: text.ranges.state, cell: stateOf, className: 'col-text' },
  { label: text.admin.actions, cell: (range) => manageLink(`/admin/faixas/${range.id}`, titleOf(range)) },
];

export interface RangesView {
  readonly ranges: readonly NumberRangeDto[];
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function rangesPage(user: SignedIn, { ranges, state, done }: RangesView): Html {
  const { list, empty, create, issuerField, kind, series, lastField, lastHint, submit } = text.ranges;
  return adminLayout(user, {
    tab: 'faixas',
    title: text.admin.ranges,
    done,
    isRefusal: state.problem !== undefined,
    body: html`${ranges.length === 0 ? html`<p>${empty}</p>` : table({ caption: list, columns: COLUMNS, rows: ranges })}
      <section class="form-section" aria-labelledby="nova">
        <h2 id="nova">${create}</h2>
        <form method="post" action="/admin/faixas" class="panel" novalidate>
          ${summary(state)}
          ${textField(state, { name: 'issuer', label: issuerField, maxLength: 18, autocomplete: 'off' })}
          ${selectField(state, { name: 'kind', label: kind, options: KINDS })}
          ${textField(state, { name: 'series', label: series, maxLength: 5, autocomplete: 'off' })}
          ${textField(state, { name: 'lastNumber', label: lastField, hint: lastHint, maxLength: 15, inputMode: 'numeric', isOptional: true, autocomplete: 'off' })}
          <p class="buttons"><button>${submit}</button></p>
        </form>
      </section>`,
  });
}

export interface RangeView {
  readonly range: NumberRangeDto;
  readonly state: FormState;
}

export function rangePage(user: SignedIn, { range, state }: RangeView): Html {
  const { block, unblock, blockHint, unblockHint, reason, last } = text.ranges;
  const { id, isBlocked, lastNumber } = range;
  const label = isBlocked ? unblock : block;
  return adminLayout(user, {
    tab: 'faixas',
    title: titleOf(range),
    isRefusal: state.problem !== undefined,
    body: html`<p class="lead">${issuerOf(range)} ${stateOf(range)}</p>
      <p>${last}: ${lastNumber}</p>
      <form
        method="post"
        action="/admin/faixas/${id}/${isBlocked ? 'desbloquear' : 'bloquear'}"
        class="panel"
        novalidate
      >
        <h2>${label}</h2>
        <p class="hint">${isBlocked ? unblockHint : blockHint}</p>
        ${summary(state)}
        ${textArea(state, { name: 'reason', label: reason, hint: text.annul.reasonHint, maxLength: 500 })}
        <p class="buttons">
          <button ${!isBlocked && html`class="danger"`}>${label}</button>
          <a class="button quiet" href="/admin/faixas">${text.back}</a>
        </p>
      </form>`,
  });
}

function issuerOf({ issuer }: NumberRangeDto): string {
  return formatTaxId(issuer) ?? issuer;
}

function titleOf({ kind, series }: NumberRangeDto): string {
  return text.ranges.title(text.fiscalKinds[kind], series);
}

function stateOf({ isBlocked, blockReason }: NumberRangeDto): Html {
  const { open, blocked } = text.ranges;
  return html`<span class="tag ${isBlocked ? 'annulled' : 'issued'}">${isBlocked ? blocked : open}</span>${
      blockReason !== null && html` <span class="reason">${blockReason}</span>`
    }`;
}
