-- Tickets whose return has not been sent; those never tried come first, since NULL sorts before any time.
-- When a return is tried next, and whether it has given up, ticket-return-outbox-pending.sql shows.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    ReturnStatus,
    ReturnAttemptCount,
    ReturnLastError,
    ReturnLastAttemptAt
FROM dbo.TB_TICKET_INTERFACE
WHERE ReturnStatus IN ('Pending', 'Error')
  AND ReturnAttemptCount < @MaxAttempts
ORDER BY ReturnLastAttemptAt ASC;
