-- What all workers know about a target, what operators did to a lane, and when periodic work last began.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_OUTBOX_TARGETS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_OUTBOX_TARGETS (
        Id            BIGINT IDENTITY(1,1) NOT NULL,
        Target        VARCHAR(300)         NOT NULL,
        OpenCount     INT                  NOT NULL CONSTRAINT DF_TB_OUTBOX_TARGETS_OpenCount DEFAULT 0,
        BlockedUntil  DATETIME2            NULL,
        LastSuccessAt DATETIME2            NULL,
        PausedAt      DATETIME2            NULL,
        PausedBy      VARCHAR(100)         NULL,
        PauseReason   NVARCHAR(500)        NULL,
        RateClock     DATETIME2            NULL,
        UpdatedAt     DATETIME2            NOT NULL CONSTRAINT DF_TB_OUTBOX_TARGETS_UpdatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_OUTBOX_TARGETS PRIMARY KEY CLUSTERED (Id)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_OUTBOX_TARGETS_Target ON dbo.TB_OUTBOX_TARGETS (Target);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_OUTBOX_TARGETS';
END
GO

IF OBJECT_ID('dbo.TB_OUTBOX_ACTIONS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_OUTBOX_ACTIONS (
        Id            BIGINT IDENTITY(1,1) NOT NULL,
        Lane          VARCHAR(100)         NOT NULL,
        Action        VARCHAR(20)          NOT NULL,
        Actor         VARCHAR(100)         NOT NULL,
        Reason        NVARCHAR(500)        NOT NULL,
        Selection     NVARCHAR(MAX)        NOT NULL,
        AffectedCount INT                  NOT NULL,
        CreatedAt     DATETIME2            NOT NULL CONSTRAINT DF_TB_OUTBOX_ACTIONS_CreatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_OUTBOX_ACTIONS PRIMARY KEY CLUSTERED (Id)
    );
    CREATE NONCLUSTERED INDEX IX_TB_OUTBOX_ACTIONS_Lane_CreatedAt ON dbo.TB_OUTBOX_ACTIONS (Lane, CreatedAt);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_OUTBOX_ACTIONS';
END
GO

IF OBJECT_ID('dbo.TB_PERIODIC_TASKS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_PERIODIC_TASKS (
        Id        BIGINT IDENTITY(1,1) NOT NULL,
        Name      VARCHAR(100)         NOT NULL,
        StartedAt DATETIME2            NOT NULL CONSTRAINT DF_TB_PERIODIC_TASKS_StartedAt DEFAULT SYSUTCDATETIME(),
        StartedBy VARCHAR(100)         NOT NULL,
        CONSTRAINT PK_TB_PERIODIC_TASKS PRIMARY KEY CLUSTERED (Id)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_PERIODIC_TASKS_Name ON dbo.TB_PERIODIC_TASKS (Name);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_PERIODIC_TASKS';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF OBJECT_ID('dbo.TB_OUTBOX_TARGETS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_OUTBOX_ACTIONS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_PERIODIC_TASKS', 'U') IS NULL
BEGIN
    THROW 51001, '004_outbox_operations.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 4)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (4, '004_outbox_operations.sql');
END
GO
