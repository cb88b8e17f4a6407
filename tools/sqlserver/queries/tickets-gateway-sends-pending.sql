-- Tickets that have not been sent to the gateway; those never tried come first, since NULL sorts before any time.
-- Error with NULL in GatewaySendNextAttemptAt has given up: nobody tries it again until it is replayed.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    GatewaySendStatus,
    GatewaySendAttemptCount,
    GatewaySendLastError,
    GatewaySendLastAttemptAt,
    GatewaySendNextAttemptAt
FROM dbo.TB_TICKET_INTERFACE
WHERE GatewaySendStatus IN ('Pending', 'Error')
  AND GatewaySendAttemptCount < @MaxAttempts
ORDER BY GatewaySendLastAttemptAt ASC;
