import { DocumentNumbers, DocumentTypeEntity, SequenceEntity } from '@malote/numbering';
import { UnitOfWork } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import type { AdjustmentDto, SequenceDto } from './sequence.dto.ts';

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
            .filter((sequence) => sequence.year === year && sequence.documentTypeId === documentTypeId)
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
