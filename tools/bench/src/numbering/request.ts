import { randomUUID } from 'node:crypto';
import { type NumberRequest } from '@malote/numbering';
import { MARIA } from '@malote/numbering/testing';

/** A number as clerks ask for it, each time under a key of its own. */
export function requestFor(documentTypeId: string): NumberRequest {
  return {
    documentTypeId,
    user: MARIA,
    description: {
      subject: 'Resposta ao requerimento nº 118 da Câmara de Vereadores',
      recipient: 'Secretaria Municipal de Obras',
      processNumber: '1042/2026',
      notes: null,
    },
    requestKey: randomUUID(),
  };
}
