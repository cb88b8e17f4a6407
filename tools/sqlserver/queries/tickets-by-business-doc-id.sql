-- All phases of one ticket and how far each has come.
DECLARE @BusinessEntity VARCHAR(100) = 'TCK';
DECLARE @BusinessDocId VARCHAR(100) = '01-0107-0257-5200004';

SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    Status,
    AttemptCount,
    ReturnStatus,
    GatewaySendStatus,
    CallbackStatus,
    CreatedAt,
    UpdatedAt
FROM dbo.TB_TICKET_INTERFACE
WHERE BusinessEntity = @BusinessEntity
  AND BusinessDocId = @BusinessDocId
ORDER BY PhaseCode;
