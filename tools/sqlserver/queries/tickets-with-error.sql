-- Tickets whose processing failed, last changed first.
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
WHERE Status = 'Error'
ORDER BY UpdatedAt DESC;
