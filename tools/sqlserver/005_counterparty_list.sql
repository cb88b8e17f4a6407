-- Lists of counterparties are read by business entity, in the order of their Id.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_COUNTERPARTIES', 'U') IS NULL
BEGIN
    THROW 51001, '005_counterparty_list.sql needs 001_counterparties.sql; see the errors above', 1;
END
-- The history row comes with the index or not at all: without the row, the script has not been applied.
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 5)
BEGIN
    BEGIN TRANSACTION;
    IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.TB_COUNTERPARTIES')
                   AND name = 'IX_TB_COUNTERPARTIES_BusinessEntity')
    BEGIN
        CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTIES_BusinessEntity
            ON dbo.TB_COUNTERPARTIES (BusinessEntity, Id);
        PRINT 'created dbo.TB_COUNTERPARTIES.IX_TB_COUNTERPARTIES_BusinessEntity';
    END
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (5, '005_counterparty_list.sql');
    COMMIT TRANSACTION;
END
GO
