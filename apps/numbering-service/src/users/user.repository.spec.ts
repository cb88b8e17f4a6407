import { nvarchar, varchar } from '@malote/persistence';
import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { UserRepository } from './user.repository.ts';

it('changes what is given of a user, every value declared as its column is', async () => {
  const recorder = new SqlRecorder();
  const updatedAt = new Date(0);

  await recorder.run((tx) =>
    new UserRepository().update(tx, 'user-1', { name: 'Ana', passwordHash: null, updatedAt }),
  );

  expect(recorder.said).toEqual([
    {
      sql: 'UPDATE dbo.TB_USERS SET Name = @Name, PasswordHash = @PasswordHash, UpdatedAt = @UpdatedAt WHERE Id = @id',
      parameters: {
        Name: nvarchar('Ana', 100),
        PasswordHash: varchar(null, 100),
        UpdatedAt: updatedAt,
        id: varchar('user-1', 36),
      },
    },
  ]);
});
