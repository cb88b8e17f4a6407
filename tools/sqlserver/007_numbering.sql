-- Numbers of official documents and of fiscal ranges, and the people who take them.
-- Relations are logical ones: people and types that were used are never deleted, and log rows repeat what they need of both.
-- The services' login needs SELECT and INSERT on TB_NUMBER_LOGS and nothing else: its rows are never changed.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_USERS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_USERS (
        Id                         VARCHAR(36)   NOT NULL,
        Email                      VARCHAR(254)  NOT NULL,
        Name                       NVARCHAR(100) NOT NULL,
        PasswordHash               VARCHAR(100)  NULL,
        Role                       VARCHAR(10)   NOT NULL,
        IsActive                   BIT           NOT NULL CONSTRAINT DF_TB_USERS_IsActive DEFAULT 1,
        MustChangePassword         BIT           NOT NULL CONSTRAINT DF_TB_USERS_MustChangePassword DEFAULT 1,
        TemporaryPasswordExpiresAt DATETIME2     NULL,
        LastLoginAt                DATETIME2     NULL,
        CreatedAt                  DATETIME2     NOT NULL CONSTRAINT DF_TB_USERS_CreatedAt DEFAULT SYSUTCDATETIME(),
        UpdatedAt                  DATETIME2     NOT NULL CONSTRAINT DF_TB_USERS_UpdatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_USERS PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_USERS_Role CHECK (Role IN ('admin', 'user')),
        CONSTRAINT CK_TB_USERS_PasswordHash CHECK (PasswordHash IS NOT NULL OR MustChangePassword = 1)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_USERS_Email ON dbo.TB_USERS (Email);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_USERS';
END
GO

IF OBJECT_ID('dbo.TB_USER_SESSIONS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_USER_SESSIONS (
        Id         VARCHAR(36) NOT NULL,
        UserId     VARCHAR(36) NOT NULL,
        Generation INT         NOT NULL,
        StartedAt  DATETIME2   NOT NULL,
        RotatedAt  DATETIME2   NOT NULL,
        ExpiresAt  DATETIME2   NOT NULL,
        EndedAt    DATETIME2   NULL,
        EndReason  VARCHAR(20) NULL,
        CONSTRAINT PK_TB_USER_SESSIONS PRIMARY KEY CLUSTERED (Id)
    );
    CREATE NONCLUSTERED INDEX IX_TB_USER_SESSIONS_UserId ON dbo.TB_USER_SESSIONS (UserId) WHERE EndedAt IS NULL;
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_USER_SESSIONS';
END
GO

IF OBJECT_ID('dbo.TB_LOGIN_THROTTLES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_LOGIN_THROTTLES (
        Id            BIGINT IDENTITY(1,1) NOT NULL,
        ThrottleKey   VARCHAR(64)          NOT NULL,
        Failures      INT                  NOT NULL CONSTRAINT DF_TB_LOGIN_THROTTLES_Failures DEFAULT 0,
        BlockedUntil  DATETIME2            NULL,
        LastFailureAt DATETIME2            NULL,
        LastSuccessAt DATETIME2            NULL,
        CONSTRAINT PK_TB_LOGIN_THROTTLES PRIMARY KEY CLUSTERED (Id)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_LOGIN_THROTTLES_ThrottleKey ON dbo.TB_LOGIN_THROTTLES (ThrottleKey);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_LOGIN_THROTTLES';
END
GO

IF OBJECT_ID('dbo.TB_ADMIN_ACTIONS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_ADMIN_ACTIONS (
        Id        BIGINT IDENTITY(1,1) NOT NULL,
        ActorId   VARCHAR(36)          NOT NULL,
        ActorName NVARCHAR(100)        NOT NULL,
        Action    VARCHAR(40)          NOT NULL,
        Subject   NVARCHAR(200)        NOT NULL,
        Reason    NVARCHAR(500)        NULL,
        Details   NVARCHAR(MAX)        NULL,
        CreatedAt DATETIME2            NOT NULL CONSTRAINT DF_TB_ADMIN_ACTIONS_CreatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_ADMIN_ACTIONS PRIMARY KEY CLUSTERED (Id)
    );
    CREATE NONCLUSTERED INDEX IX_TB_ADMIN_ACTIONS_CreatedAt ON dbo.TB_ADMIN_ACTIONS (CreatedAt);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_ADMIN_ACTIONS';
END
GO

IF OBJECT_ID('dbo.TB_DOCUMENT_TYPES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_DOCUMENT_TYPES (
        Id        VARCHAR(36)  NOT NULL,
        Name      NVARCHAR(50) NOT NULL,
        Prefix    VARCHAR(10)  NULL,
        IsActive  BIT          NOT NULL CONSTRAINT DF_TB_DOCUMENT_TYPES_IsActive DEFAULT 1,
        SortOrder INT          NOT NULL,
        CreatedAt DATETIME2    NOT NULL CONSTRAINT DF_TB_DOCUMENT_TYPES_CreatedAt DEFAULT SYSUTCDATETIME(),
        UpdatedAt DATETIME2    NOT NULL CONSTRAINT DF_TB_DOCUMENT_TYPES_UpdatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_DOCUMENT_TYPES PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_DOCUMENT_TYPES_SortOrder CHECK (SortOrder > 0)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_DOCUMENT_TYPES_Name ON dbo.TB_DOCUMENT_TYPES (Name) WHERE IsActive = 1;
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_DOCUMENT_TYPES';
END
GO

IF OBJECT_ID('dbo.TB_SEQUENCES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_SEQUENCES (
        Id             BIGINT IDENTITY(1,1) NOT NULL,
        DocumentTypeId VARCHAR(36)          NOT NULL,
        Year           INT                  NOT NULL,
        LastNumber     INT                  NOT NULL,
        LastPosition   INT                  NOT NULL,
        LastHash       VARCHAR(64)          NOT NULL,
        UpdatedAt      DATETIME2            NOT NULL,
        CONSTRAINT PK_TB_SEQUENCES PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_SEQUENCES_Year CHECK (Year >= 2020 AND Year <= 2100),
        CONSTRAINT CK_TB_SEQUENCES_LastNumber CHECK (LastNumber > 0)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_SEQUENCES_Type_Year ON dbo.TB_SEQUENCES (DocumentTypeId, Year);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_SEQUENCES';
END
GO

IF OBJECT_ID('dbo.TB_NUMBER_LOGS', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_NUMBER_LOGS (
        Id               BIGINT IDENTITY(1,1) NOT NULL,
        DocumentTypeId   VARCHAR(36)          NOT NULL,
        DocumentTypeName NVARCHAR(50)         NOT NULL,
        Number           INT                  NOT NULL,
        Year             INT                  NOT NULL,
        FormattedNumber  VARCHAR(20)          NOT NULL,
        UserId           VARCHAR(36)          NOT NULL,
        UserName         NVARCHAR(100)        NOT NULL,
        UserEmail        VARCHAR(254)         NOT NULL,
        GeneratedAt      DATETIME2            NOT NULL,
        GeneratedAtLocal VARCHAR(40)          NOT NULL,
        Kind             VARCHAR(10)          NOT NULL CONSTRAINT DF_TB_NUMBER_LOGS_Kind DEFAULT 'generated',
        Position         INT                  NOT NULL,
        Prefix           VARCHAR(10)          NULL,
        Subject          NVARCHAR(200)        NULL,
        Recipient        NVARCHAR(200)        NULL,
        ProcessNumber    NVARCHAR(50)         NULL,
        Notes            NVARCHAR(500)        NULL,
        Reason           NVARCHAR(500)        NULL,
        RequestKey       VARCHAR(200)         NULL,
        SearchText       NVARCHAR(1800)       NOT NULL,
        PreviousHash     VARCHAR(64)          NOT NULL,
        Hash             VARCHAR(64)          NOT NULL,
        CONSTRAINT PK_TB_NUMBER_LOGS PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_NUMBER_LOGS_Kind CHECK (Kind IN ('generated', 'annulled', 'adjusted', 'amended')),
        CONSTRAINT CK_TB_NUMBER_LOGS_Number CHECK (Number > 0),
        CONSTRAINT CK_TB_NUMBER_LOGS_Position CHECK (Position > 0)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_NUMBER_LOGS_Position
        ON dbo.TB_NUMBER_LOGS (DocumentTypeId, Year, Position);
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_NUMBER_LOGS_Number
        ON dbo.TB_NUMBER_LOGS (DocumentTypeId, Year, Number, Kind) WHERE Kind IN ('generated', 'annulled', 'adjusted');
    CREATE NONCLUSTERED INDEX IX_TB_NUMBER_LOGS_Number ON dbo.TB_NUMBER_LOGS (DocumentTypeId, Year, Number);
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_NUMBER_LOGS_RequestKey
        ON dbo.TB_NUMBER_LOGS (RequestKey) WHERE RequestKey IS NOT NULL;
    CREATE NONCLUSTERED INDEX IX_TB_NUMBER_LOGS_UserId ON dbo.TB_NUMBER_LOGS (UserId);
    CREATE NONCLUSTERED INDEX IX_TB_NUMBER_LOGS_GeneratedAt ON dbo.TB_NUMBER_LOGS (GeneratedAt);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_NUMBER_LOGS';
END
GO

IF OBJECT_ID('dbo.TB_NUMBER_RANGES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_NUMBER_RANGES (
        Id          BIGINT IDENTITY(1,1) NOT NULL,
        Issuer      VARCHAR(14)          NOT NULL,
        Kind        VARCHAR(10)          NOT NULL,
        Series      VARCHAR(5)           NOT NULL,
        LastNumber  BIGINT               NOT NULL,
        IsBlocked   BIT                  NOT NULL CONSTRAINT DF_TB_NUMBER_RANGES_IsBlocked DEFAULT 0,
        BlockReason NVARCHAR(500)        NULL,
        CreatedAt   DATETIME2            NOT NULL CONSTRAINT DF_TB_NUMBER_RANGES_CreatedAt DEFAULT SYSUTCDATETIME(),
        UpdatedAt   DATETIME2            NOT NULL CONSTRAINT DF_TB_NUMBER_RANGES_UpdatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_NUMBER_RANGES PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_NUMBER_RANGES_Kind CHECK (Kind IN ('nfe', 'nfce', 'dps', 'rps')),
        CONSTRAINT CK_TB_NUMBER_RANGES_LastNumber CHECK (LastNumber >= 0)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_NUMBER_RANGES_Issuer ON dbo.TB_NUMBER_RANGES (Issuer, Kind, Series);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_NUMBER_RANGES';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF OBJECT_ID('dbo.TB_USERS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_USER_SESSIONS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_LOGIN_THROTTLES', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_ADMIN_ACTIONS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_DOCUMENT_TYPES', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_SEQUENCES', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_NUMBER_LOGS', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_NUMBER_RANGES', 'U') IS NULL
BEGIN
    THROW 51001, '007_numbering.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 7)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (7, '007_numbering.sql');
END
GO
