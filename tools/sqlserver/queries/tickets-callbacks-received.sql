-- Callbacks of the gateway, last received first.
SELECT
    Id,
    BusinessEntity,
    BusinessDocId,
    PhaseCode,
    CallbackStatus,
    CallbackCode,
    CallbackMessage,
    CallbackReceivedAt
FROM dbo.TB_TICKET_INTERFACE
WHERE CallbackStatus IN ('Received', 'Success', 'Error')
ORDER BY CallbackReceivedAt DESC;
