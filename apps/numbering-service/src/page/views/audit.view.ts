import type { RegisterAudit, SequenceAudit } from '@malote/numbering';
import type { SignedIn } from '../../auth/signed-in.ts';
import { type Html, html, type Insert } from '../html.ts';
import { text } from '../messages.ts';
import { layout } from './layout.ts';
import { type Column, table } from './table.ts';
import { timeTag, dateAndTime } from './time.ts';

const SHORT_SEAL = 12;

const COLUMNS: readonly Column<SequenceAudit>[] = [
  {
    label: text.audit.sequence,
    cell: ({ documentTypeName, year }) => `${documentTypeName} ${year}`,
    isHead: true,
  },
  { label: text.audit.result, cell: resultOf, className: 'col-text' },
  {
    label: text.audit.last,
    cell: ({ lastNumber, year }) => `${lastNumber}/${year}`,
    className: 'col-figure',
  },
  { label: text.audit.entries, cell: ({ entries }) => entries, className: 'col-figure' },
  { label: text.audit.annulled, cell: ({ annulled }) => annulled, className: 'col-figure' },
  { label: text.audit.skipped, cell: skippedOf },
  { label: text.audit.sealEnd, cell: sealOf },
];

export function auditPage(user: SignedIn, audit: RegisterAudit): Html {
  const { title, intro, again, intact, intactLong, brokenLong, checkedAt, empty } = text.audit;
  return layout(user, {
    title,
    section: 'audit',
    body: html`<p class="lead">${intro}</p>
      <div class="notice ${audit.intact ? 'done' : 'refused'}" role="status">
        <p><strong>${audit.intact ? intact : brokenWords(audit)}</strong></p>
        <p>${audit.intact ? intactLong : brokenLong}</p>
        <p class="hint">${checkedAt(dateAndTime(audit.checkedAt))}</p>
      </div>
      <form method="get" action="/auditoria">
        <p class="buttons"><button class="quiet">${again}</button></p>
      </form>
      ${
        audit.sequences.length === 0
          ? html`<p>${empty}</p>`
          : table({
              caption: text.audit.list,
              columns: COLUMNS,
              rows: audit.sequences,
              rowClass: (sequence) => (sequence.intact ? undefined : 'is-broken'),
            })
      }`,
  });
}

/** For the head of the home page. */
export function auditBadge(audit: RegisterAudit): Html {
  const label = audit.intact ? text.audit.intact : brokenWords(audit);
  return html`<p class="badge ${audit.intact ? 'intact' : 'broken'}">
    <a href="/auditoria">${label}</a> <span class="hint">${timeTag(audit.checkedAt)}</span>
  </p>`;
}

function brokenWords({ sequences }: RegisterAudit): string {
  return text.audit.broken(sequences.filter(({ intact }) => !intact).length);
}

function resultOf({ firstBreak }: SequenceAudit): Insert {
  const { ok, bad, where } = text.audit;
  if (!firstBreak) return html`<span class="tag issued">${ok}</span>`;
  const { kind, position, formattedNumber } = firstBreak;
  return html`<span class="tag annulled">${bad}</span> ${where(position, formattedNumber)}
    ${text.breaks[kind]}`;
}

function skippedOf({ skipped }: SequenceAudit): string {
  return skipped.map(({ from, to }) => text.audit.range(from, to)).join(', ') || text.none;
}

function sealOf({ lastHash }: SequenceAudit): Html {
  return html`<details>
    <summary><code>${lastHash.slice(0, SHORT_SEAL)}…</code></summary>
    <code class="long">${lastHash}</code>
  </details>`;
}
