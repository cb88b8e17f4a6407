import type { RegisteredNumber } from './register.repository.ts';
import { toNumberDto } from './number.dto.ts';

/** Spreadsheets in Brazil take a semicolon for the separator, and UTF-8 only when it says so. */
const BOM = '\uFEFF';
const SEPARATOR = ';';
const LINE_END = '\r\n';

const HEADINGS = [
  'Número',
  'Tipo',
  'Prefixo',
  'Assunto',
  'Destinatário',
  'Processo',
  'Observação',
  'Gerado por',
  'E-mail',
  'Gerado em',
  'Situação',
  'Motivo da anulação',
  'Anulado por',
  'Anulado em',
  'Selo',
];

export async function* registerCsv(numbers: AsyncIterable<RegisteredNumber>): AsyncGenerator<string> {
  yield BOM + lineOf(HEADINGS);
  for await (const number of numbers) yield lineOf(cellsOf(number));
}

function cellsOf(registered: RegisteredNumber): (string | null)[] {
  const number = toNumberDto(registered);
  const { annulment } = number;
  return [
    number.formattedNumber,
    number.documentTypeName,
    number.prefix,
    number.subject,
    number.recipient,
    number.processNumber,
    number.notes,
    number.user.name,
    number.user.email,
    number.generatedAtLocal,
    number.state === 'annulled' ? 'Anulado' : 'Emitido',
    annulment?.reason ?? null,
    annulment?.by.name ?? null,
    annulment?.atLocal ?? null,
    number.hash,
  ];
}

function lineOf(cells: readonly (string | null)[]): string {
  return cells.map((cell) => quoted(cell ?? '')).join(SEPARATOR) + LINE_END;
}

/** A spreadsheet runs what begins like a formula; behind an apostrophe it is text. */
function quoted(text: string): string {
  const harmless = /^[\s"']*[=+\-@|%]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
