-- Tickets that wait to be processed, oldest first.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    Status,
    AttemptCount,
    LastError,
    CreatedAt,
    UpdatedAt
FROM dbo.TB_TICKET_INTERFACE
WHERE Status = 'Awaiting'
  AND AttemptCount < @MaxAttempts
ORDER BY CreatedAt ASC;
