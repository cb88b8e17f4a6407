-- Which scripts a database has seen; services report themselves ready only when theirs are among them.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_SCHEMA_HISTORY', 'U') IS NULL
BEGIN
    CREATE TABLE dbo.TB_SCHEMA_HISTORY (
        Version   INT          NOT NULL,
        Script    VARCHAR(200) NOT NULL,
        AppliedAt DATETIME2    NOT NULL CONSTRAINT DF_TB_SCHEMA_HISTORY_AppliedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_SCHEMA_HISTORY PRIMARY KEY CLUSTERED (Version)
    );
    PRINT 'created dbo.TB_SCHEMA_HISTORY';
END
GO

IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 0)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (0, '000_schema_history.sql');
END
GO
