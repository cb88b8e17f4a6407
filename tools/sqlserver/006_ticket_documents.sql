-- Whoever follows a document knows its BusinessDocId alone.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

-- The history row is the guard: it commits together with the index.
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 6)
BEGIN
    BEGIN TRANSACTION;
    IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.TB_TICKET_INTERFACE')
                   AND name = 'IX_TB_TICKET_INTERFACE_BusinessDocId')
    BEGIN
        CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_BusinessDocId
            ON dbo.TB_TICKET_INTERFACE (BusinessDocId);
        PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_BusinessDocId';
    END
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (6, '006_ticket_documents.sql');
    COMMIT TRANSACTION;
END
GO
