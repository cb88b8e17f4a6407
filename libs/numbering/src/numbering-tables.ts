import { DocumentTypeEntity } from './document-type.entity.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { NumberRangeEntity } from './number-range.entity.ts';
import { SequenceEntity } from './sequence.entity.ts';

export const NUMBERING_TABLES = [DocumentTypeEntity, SequenceEntity, NumberLogEntity, NumberRangeEntity];
