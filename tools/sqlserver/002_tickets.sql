-- Tickets and their two outboxes, to the letter of the specification (3.4 to 3.6); what we add is in 003.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_TICKET_INTERFACE', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_TICKET_INTERFACE (
        Id                       BIGINT IDENTITY(1,1) NOT NULL,
        BusinessEntity           VARCHAR(100)         NOT NULL,
        BusinessDocId            VARCHAR(100)         NOT NULL,
        CompanyCode              VARCHAR(20)          NOT NULL,
        BranchCode               VARCHAR(20)          NOT NULL,
        DestinationCode          VARCHAR(20)          NOT NULL,
        PhaseCode                INT                  NOT NULL,
        ShipmentEvent            VARCHAR(20)          NOT NULL,
        FunctionalAckIsRequired  BIT                  NOT NULL,
        TargetApplicationCode    VARCHAR(20)          NOT NULL,
        Status                   VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_Status DEFAULT 'Awaiting',
        AttemptCount             INT                  NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_AttemptCount DEFAULT 0,
        RawPayloadJson           NVARCHAR(MAX)        NOT NULL,
        LastError                NVARCHAR(2000)       NULL,
        CreatedAt                DATETIME2            NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_CreatedAt DEFAULT SYSUTCDATETIME(),
        UpdatedAt                DATETIME2            NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_UpdatedAt DEFAULT SYSUTCDATETIME(),
        ReturnStatus             VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_ReturnStatus DEFAULT 'Pending',
        ReturnAttemptCount       INT                  NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_ReturnAttemptCount DEFAULT 0,
        ReturnLastError          NVARCHAR(2000)       NULL,
        ReturnSentAt             DATETIME2            NULL,
        ReturnLastAttemptAt      DATETIME2            NULL,
        GatewaySendStatus        VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_GatewaySendStatus DEFAULT 'Pending',
        GatewaySendAttemptCount  INT                  NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_GatewaySendAttemptCount DEFAULT 0,
        GatewaySendLastError     NVARCHAR(2000)       NULL,
        GatewaySendLastAttemptAt DATETIME2            NULL,
        GatewaySendSentAt        DATETIME2            NULL,
        CallbackStatus           VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_CallbackStatus DEFAULT 'Pending',
        CallbackReceivedAt       DATETIME2            NULL,
        CallbackPayloadJson      NVARCHAR(MAX)        NULL,
        CallbackMessage          NVARCHAR(2000)       NULL,
        CallbackCode             VARCHAR(50)          NULL,
        CONSTRAINT PK_TB_TICKET_INTERFACE PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT UQ_TB_TICKET_INTERFACE_BusinessEntity_BusinessDocId_PhaseCode
            UNIQUE NONCLUSTERED (BusinessEntity, BusinessDocId, PhaseCode),
        CONSTRAINT CK_TB_TICKET_INTERFACE_Status CHECK (Status IN ('Awaiting', 'Processing', 'Processed', 'Error')),
        CONSTRAINT CK_TB_TICKET_INTERFACE_ReturnStatus CHECK (ReturnStatus IN ('Pending', 'Sending', 'Sent', 'Error')),
        CONSTRAINT CK_TB_TICKET_INTERFACE_GatewaySendStatus CHECK (GatewaySendStatus IN ('Pending', 'Sending', 'Sent', 'Error')),
        CONSTRAINT CK_TB_TICKET_INTERFACE_CallbackStatus CHECK (CallbackStatus IN ('Pending', 'Received', 'Success', 'Error'))
    );
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_Status_CreatedAt
        ON dbo.TB_TICKET_INTERFACE (Status, CreatedAt);
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_ReturnStatus_ReturnLastAttemptAt
        ON dbo.TB_TICKET_INTERFACE (ReturnStatus, ReturnLastAttemptAt);
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_GatewaySendStatus_GatewaySendLastAttemptAt
        ON dbo.TB_TICKET_INTERFACE (GatewaySendStatus, GatewaySendLastAttemptAt);
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_CallbackStatus_CallbackReceivedAt
        ON dbo.TB_TICKET_INTERFACE (CallbackStatus, CallbackReceivedAt);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_TICKET_INTERFACE';
END
GO

IF OBJECT_ID('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX (
        Id            BIGINT IDENTITY(1,1) NOT NULL,
        BusinessDocId VARCHAR(100)         NOT NULL,
        PayloadJson   NVARCHAR(MAX)        NOT NULL,
        TargetUrl     VARCHAR(500)         NOT NULL,
        Status        VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_FUNCTIONAL_ACK_OUTBOX_Status DEFAULT 'Pending',
        AttemptCount  INT                  NOT NULL CONSTRAINT DF_TB_FUNCTIONAL_ACK_OUTBOX_AttemptCount DEFAULT 0,
        CreatedAt     DATETIME2            NOT NULL CONSTRAINT DF_TB_FUNCTIONAL_ACK_OUTBOX_CreatedAt DEFAULT SYSUTCDATETIME(),
        LastAttemptAt DATETIME2            NULL,
        SentAt        DATETIME2            NULL,
        LastError     NVARCHAR(2000)       NULL,
        CONSTRAINT PK_TB_FUNCTIONAL_ACK_OUTBOX PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_FUNCTIONAL_ACK_OUTBOX_Status CHECK (Status IN ('Pending', 'Sending', 'Sent', 'Error'))
    );
    CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_Status_CreatedAt
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (Status, CreatedAt);
    CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_BusinessDocId
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (BusinessDocId);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_FUNCTIONAL_ACK_OUTBOX';
END
GO

IF OBJECT_ID('dbo.TB_TICKET_RETURN_OUTBOX', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_TICKET_RETURN_OUTBOX (
        Id             BIGINT IDENTITY(1,1) NOT NULL,
        BusinessEntity VARCHAR(100)         NOT NULL,
        BusinessDocId  VARCHAR(100)         NOT NULL,
        PhaseCode      INT                  NOT NULL,
        PayloadJson    NVARCHAR(MAX)        NOT NULL,
        TargetUrl      VARCHAR(500)         NOT NULL,
        Status         VARCHAR(20)          NOT NULL CONSTRAINT DF_TB_TICKET_RETURN_OUTBOX_Status DEFAULT 'Pending',
        AttemptCount   INT                  NOT NULL CONSTRAINT DF_TB_TICKET_RETURN_OUTBOX_AttemptCount DEFAULT 0,
        CreatedAt      DATETIME2            NOT NULL CONSTRAINT DF_TB_TICKET_RETURN_OUTBOX_CreatedAt DEFAULT SYSUTCDATETIME(),
        LastAttemptAt  DATETIME2            NULL,
        SentAt         DATETIME2            NULL,
        LastError      NVARCHAR(2000)       NULL,
        CONSTRAINT PK_TB_TICKET_RETURN_OUTBOX PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT CK_TB_TICKET_RETURN_OUTBOX_Status CHECK (Status IN ('Pending', 'Sending', 'Sent', 'Error'))
    );
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_Status_CreatedAt
        ON dbo.TB_TICKET_RETURN_OUTBOX (Status, CreatedAt);
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_TicketKey
        ON dbo.TB_TICKET_RETURN_OUTBOX (BusinessEntity, BusinessDocId, PhaseCode);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_TICKET_RETURN_OUTBOX';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF OBJECT_ID('dbo.TB_TICKET_INTERFACE', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_TICKET_RETURN_OUTBOX', 'U') IS NULL
BEGIN
    THROW 51001, '002_tickets.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 2)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (2, '002_tickets.sql');
END
GO
