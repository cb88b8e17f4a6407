-- Tickets by document: a phase 6 waits for the phase 15 of its document, which the unique key finds, so that no column is
-- needed to say which tickets belong together; and whoever follows a document knows its BusinessDocId alone.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'OrderKey') IS NOT NULL
BEGIN
    BEGIN TRANSACTION;
    DROP INDEX IX_TB_TICKET_INTERFACE_OrderKey ON dbo.TB_TICKET_INTERFACE;
    ALTER TABLE dbo.TB_TICKET_INTERFACE DROP COLUMN OrderKey;
    COMMIT TRANSACTION;
    PRINT 'dropped dbo.TB_TICKET_INTERFACE.OrderKey';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'OrderKey') IS NOT NULL
BEGIN
    THROW 51001, '006_ticket_documents.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 6)
BEGIN
    BEGIN TRANSACTION;
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_BusinessDocId ON dbo.TB_TICKET_INTERFACE (BusinessDocId);
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (6, '006_ticket_documents.sql');
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_BusinessDocId';
END
GO
