import { type Html, html, type Insert } from '../html.ts';

export interface Column<T> {
  readonly label: string;
  readonly cell: (row: T) => Insert;
  /** The cell that names its row. */
  readonly isHead?: boolean;
  readonly className?: string;
}

export interface TableView<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowClass?: (row: T) => string | undefined;
}

/** Each row is a card on a narrow screen, by CSS alone. Tables shown as blocks stop being tables to some readers; the roles say that they are. */
export function table<T>({ caption, columns, rows, rowClass }: TableView<T>): Html {
  return html`<table role="table" class="cards">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          ({ label, className }) =>
            html`<th role="columnheader" scope="col" ${classOf(className)}>${label}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row" ${classOf(rowClass?.(row))}>
            ${columns.map((column) => cellOf(column, row))}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function cellOf<T>({ label, cell, isHead, className }: Column<T>, row: T): Html {
  return isHead
    ? html`<th role="rowheader" scope="row" data-label="${label}" ${classOf(className)}>${cell(row)}</th>`
    : html`<td role="cell" data-label="${label}" ${classOf(className)}>${cell(row)}</td>`;
}

function classOf(name: string | undefined): Html | false {
  return name !== undefined && html`class="${name}"`;
}
