import { DocumentNumbers, DocumentTypeEntity, NumberLogEntity, SequenceEntity } from '@malote/numbering';
import { UnitOfWork } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import type { AdjustedDto, AdjustmentDto, SequenceDto } from './sequence.dto.ts';

/** A few a year. */
const MOST_ADJUSTMENTS = 200;

@Injectable()
export class SequencesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly numbers: DocumentNumbers,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<SequenceDto[]> {
    return this.uow.read(async (tx) => {
      const types = await tx.entities.find(DocumentTypeEntity, { order: { sortOrder: 'ASC', name: 'ASC' } });
      const sequences = await tx.entities.find(SequenceEntity, { order: { year: 'DESC' } });
      const years = [...new Set(sequences.map(({ year }) => year))];
      return years.flatMap((year) =>
        types.flatMap(({ id: documentTypeId, name: documentTypeName }) =>
          sequences
            .filter((sequence) => sequence.year === year && isSameId(sequence.documentTypeId, documentTypeId))
            .map(({ lastNumber, updatedAt }) => ({
              documentTypeId,
              documentTypeName,
              year,
              lastNumber,
              updatedAt,
            })),
        ),
      );
    });
  }

  /** Who moved a sequence on, how far and why, newest first. */
  async adjustments(): Promise<AdjustedDto[]> {
    const entries = await this.uow.read((tx) =>
      tx.entities.find(NumberLogEntity, {
        where: { kind: 'adjusted' },
        order: { id: 'DESC' },
        take: MOST_ADJUSTMENTS,
      }),
    );
    return entries.map(
      ({ documentTypeId, documentTypeName, year, number, reason, userName, generatedAt }) => ({
        documentTypeId,
        documentTypeName,
        year,
        lastNumber: number,
        justification: reason ?? '',
        by: userName,
        at: generatedAt,
      }),
    );
  }

  /** Written into the log of the sequence, where its chain proves it. */
  async adjust({ id, name, email }: SignedIn, given: AdjustmentDto): Promise<SequenceDto> {
    const { documentTypeId, lastNumber, justification } = given;
    const entry = await this.numbers.adjust(
      {
        documentTypeId: documentTypeId.toLowerCase(),
        lastNumber,
        user: { id, name, email },
        reason: justification.trim(),
      },
      this.clock.now(),
    );
    const { documentTypeName, year, number, generatedAt } = entry;
    return {
      documentTypeId: entry.documentTypeId,
      documentTypeName,
      year,
      lastNumber: number,
      updatedAt: generatedAt,
    };
  }
}

/** Ids a DBA made are in upper case. */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
