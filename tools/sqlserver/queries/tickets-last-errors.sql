-- The last errors of processing, whatever became of their tickets since.
DECLARE @Count INT = 50;

SELECT TOP (@Count)
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    Status,
    AttemptCount,
    LastError,
    UpdatedAt
FROM dbo.TB_TICKET_INTERFACE
WHERE LastError IS NOT NULL
ORDER BY UpdatedAt DESC;
