-- Functional ACKs that wait in the outbox, oldest first.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessDocId,
    Status,
    AttemptCount,
    LastError,
    CreatedAt,
    LastAttemptAt
FROM dbo.TB_FUNCTIONAL_ACK_OUTBOX
WHERE Status IN ('Pending', 'Error')
  AND AttemptCount < @MaxAttempts
ORDER BY CreatedAt ASC;
