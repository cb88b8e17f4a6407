import { scrubText } from './scrub-text.ts';

const PAYLOAD = /^(?:body|raw-?body|payload|parameters|query)$/i;
const SECRET =
  /password|passphrase|passwd|pwd|senha|secret|token|cookie|credential|certificate|pfx|(?:api|private)[-_]?key|^(?:proxy-)?authorization(?:-?header)?$|^pin$|jwt$/i;
const PERSONAL = /cpf|cnpj|phone|telefone|celular/i;
const ID = /(?:^|[_-])ids?$|[a-z\d]Ids?$/;
const MEASURE =
  /(?:^|[_-])(?:at|ms|us|ns|seconds|bytes|size|length|count|total|time|timestamp|port|offset)$|[a-z\d](?:At|Ms|Us|Ns|Seconds|Bytes|Size|Length|Count|Total|Time|Timestamp|Port|Offset)$/;

type KeyKind = 'secret' | 'payload' | 'measure' | 'plain';

/** A field's name as it may be written, and what it says about the value. */
export interface FieldName {
  readonly text: string;
  readonly kind: KeyKind;
}

/** Names come from the code and repeat with every line. Those that come from data, of which there is no end, are not kept. */
const MAX_KNOWN = 1000;
const known = new Map<string, FieldName>();

export function fieldName(key: string): FieldName {
  const found = known.get(key);
  if (found) return found;
  const name = { text: scrubText(key), kind: kindOf(key) };
  if (known.size < MAX_KNOWN) known.set(key, name);
  return name;
}

/** `tokenId` and `certificateExpiresAt` give nothing away. */
function kindOf(key: string): KeyKind {
  if (PAYLOAD.test(key)) return 'payload';
  if (MEASURE.test(key)) return 'measure';
  if (ID.test(key)) return 'plain';
  return SECRET.test(key) || PERSONAL.test(key) ? 'secret' : 'plain';
}
