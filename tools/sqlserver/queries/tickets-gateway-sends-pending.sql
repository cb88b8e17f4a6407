-- Tickets that have not been sent to the gateway; those never tried come first, since NULL sorts before any time.
DECLARE @MaxAttempts INT = 5;

SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    GatewaySendStatus,
    GatewaySendAttemptCount,
    GatewaySendLastError,
    GatewaySendLastAttemptAt
FROM dbo.TB_TICKET_INTERFACE
WHERE GatewaySendStatus IN ('Pending', 'Error')
  AND GatewaySendAttemptCount < @MaxAttempts
ORDER BY GatewaySendLastAttemptAt ASC;
