import type { SignedIn } from '../../auth/signed-in.ts';
import type { AdjustedDto, SequenceDto } from '../../sequences/sequence.dto.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { adminLayout } from './admin-layout.ts';
import { type FormState, type Option, selectField, summary, textArea, textField } from './form.ts';
import { type Column, table } from './table.ts';
import { timeTag } from './time.ts';

const COLUMNS: readonly Column<SequenceDto>[] = [
  { label: text.sequences.type, cell: ({ documentTypeName }) => documentTypeName, isHead: true },
  { label: text.sequences.year, cell: ({ year }) => year, className: 'col-figure' },
  { label: text.sequences.last, cell: ({ lastNumber }) => lastNumber, className: 'col-figure' },
  { label: text.sequences.updated, cell: ({ updatedAt }) => timeTag(updatedAt) },
];

const ADJUSTED: readonly Column<AdjustedDto>[] = [
  { label: text.sequences.type, cell: ({ documentTypeName }) => documentTypeName, isHead: true },
  {
    label: text.sequences.movedTo,
    cell: ({ lastNumber, year }) => `${lastNumber}/${year}`,
    className: 'col-figure',
  },
  { label: text.sequences.reason, cell: ({ justification }) => justification, className: 'col-text' },
  { label: text.sequences.who, cell: ({ by }) => by },
  { label: text.sequences.when, cell: ({ at }) => timeTag(at), className: 'col-when' },
];

export interface SequencesView {
  readonly sequences: readonly SequenceDto[];
  readonly adjustments: readonly AdjustedDto[];
  readonly types: readonly Option[];
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function sequencesPage(user: SignedIn, view: SequencesView): Html {
  const { sequences, adjustments, types, state, done } = view;
  const { list, empty, adjust, adjustHint, type, choose, lastUsed, lastUsedHint, reason, submit } =
    text.sequences;
  return adminLayout(user, {
    tab: 'sequencias',
    title: text.admin.sequences,
    done,
    isRefusal: state.problem !== undefined,
    body: html`${sequences.length === 0 ? html`<p>${empty}</p>` : table({ caption: list, columns: COLUMNS, rows: sequences })}
      <section class="form-section" aria-labelledby="ajuste">
        <h2 id="ajuste">${adjust}</h2>
        <p class="hint">${adjustHint}</p>
        <form method="post" action="/admin/sequencias" class="panel" novalidate>
          ${summary(state)}
          ${selectField(state, { name: 'documentTypeId', label: type, options: types, empty: choose })}
          ${textField(state, { name: 'lastNumber', label: lastUsed, hint: lastUsedHint, maxLength: 6, inputMode: 'numeric', autocomplete: 'off' })}
          ${textArea(state, { name: 'justification', label: reason, hint: text.annul.reasonHint, maxLength: 500 })}
          <p class="buttons"><button>${submit}</button></p>
        </form>
      </section>
      ${adjustments.length > 0 && table({ caption: text.sequences.adjustments, columns: ADJUSTED, rows: adjustments })}`,
  });
}
