-- Functional ACKs that wait in the outbox, oldest first.
-- Error with NULL in NextAttemptAt has given up: nobody tries it again until it is replayed.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessDocId,
    Status,
    AttemptCount,
    LastError,
    CreatedAt,
    LastAttemptAt,
    NextAttemptAt
FROM dbo.TB_FUNCTIONAL_ACK_OUTBOX
WHERE Status IN ('Pending', 'Error')
  AND AttemptCount < @MaxAttempts
ORDER BY CreatedAt ASC;
