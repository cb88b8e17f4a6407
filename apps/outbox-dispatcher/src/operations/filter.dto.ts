import { type RowFilter } from '@malote/outbox';
import { momentOf } from './request-rules.ts';

interface GivenFilter {
  readonly ids?: readonly string[];
  readonly target?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly errorContains?: string;
}

/** Only what was given: what is left out selects nothing away. */
export function toRowFilter({ ids, target, createdFrom, createdTo, errorContains }: GivenFilter): RowFilter {
  const from = momentOf(createdFrom);
  const to = momentOf(createdTo);
  return {
    ...(ids && { ids }),
    ...(target !== undefined && { target }),
    ...(from && { createdFrom: from }),
    ...(to && { createdTo: to }),
    ...(errorContains !== undefined && { errorContains }),
  };
}
