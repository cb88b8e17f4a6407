-- The columns by which workers take rows: when a row is due, who holds it, in which order, under which trace.
-- EXEC keeps a statement from being compiled before the column it names exists.
-- Back-fill, once: what waited becomes due (an error only while it has one of the five attempts left); what was
-- being sent gets five minutes, in case the worker that holds it is still running; what is done or dead stays null.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'NextAttemptAt') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD NextAttemptAt DATETIME2 NULL;
    EXEC('UPDATE dbo.TB_FUNCTIONAL_ACK_OUTBOX SET NextAttemptAt = SYSUTCDATETIME()
        WHERE (Status = ''Pending'' OR (Status = ''Error'' AND AttemptCount < 5))');
    EXEC('UPDATE dbo.TB_FUNCTIONAL_ACK_OUTBOX SET NextAttemptAt = DATEADD(MINUTE, 5, SYSUTCDATETIME())
        WHERE Status = ''Sending''');
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD CONSTRAINT DF_TB_FUNCTIONAL_ACK_OUTBOX_NextAttemptAt
        DEFAULT SYSUTCDATETIME() FOR NextAttemptAt;
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (TargetUrl, NextAttemptAt, Id)
        WHERE NextAttemptAt IS NOT NULL AND Status <> ''Sent''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.NextAttemptAt';
    PRINT 'created dbo.TB_FUNCTIONAL_ACK_OUTBOX.IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane';
END
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'LeaseOwner') IS NULL
BEGIN
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD LeaseOwner VARCHAR(100) NULL;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.LeaseOwner';
END
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'TraceParent') IS NULL
BEGIN
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD TraceParent VARCHAR(55) NULL;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.TraceParent';
END
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'MessageKey') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD MessageKey VARCHAR(200) NULL;
    EXEC('CREATE UNIQUE NONCLUSTERED INDEX UX_TB_FUNCTIONAL_ACK_OUTBOX_MessageKey
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (MessageKey)
        WHERE MessageKey IS NOT NULL');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.MessageKey';
    PRINT 'created dbo.TB_FUNCTIONAL_ACK_OUTBOX.UX_TB_FUNCTIONAL_ACK_OUTBOX_MessageKey';
END
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'OrderKey') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD OrderKey VARCHAR(200) NULL;
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (OrderKey, Id)
        WHERE OrderKey IS NOT NULL AND Status <> ''Sent''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.OrderKey';
    PRINT 'created dbo.TB_FUNCTIONAL_ACK_OUTBOX.IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'NextAttemptAt') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD NextAttemptAt DATETIME2 NULL;
    EXEC('UPDATE dbo.TB_TICKET_RETURN_OUTBOX SET NextAttemptAt = SYSUTCDATETIME()
        WHERE (Status = ''Pending'' OR (Status = ''Error'' AND AttemptCount < 5))');
    EXEC('UPDATE dbo.TB_TICKET_RETURN_OUTBOX SET NextAttemptAt = DATEADD(MINUTE, 5, SYSUTCDATETIME())
        WHERE Status = ''Sending''');
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD CONSTRAINT DF_TB_TICKET_RETURN_OUTBOX_NextAttemptAt
        DEFAULT SYSUTCDATETIME() FOR NextAttemptAt;
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_Lane
        ON dbo.TB_TICKET_RETURN_OUTBOX (TargetUrl, NextAttemptAt, Id)
        WHERE NextAttemptAt IS NOT NULL AND Status <> ''Sent''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.NextAttemptAt';
    PRINT 'created dbo.TB_TICKET_RETURN_OUTBOX.IX_TB_TICKET_RETURN_OUTBOX_Lane';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'LeaseOwner') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD LeaseOwner VARCHAR(100) NULL;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.LeaseOwner';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'TraceParent') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD TraceParent VARCHAR(55) NULL;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.TraceParent';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'MessageKey') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD MessageKey VARCHAR(200) NULL;
    EXEC('CREATE UNIQUE NONCLUSTERED INDEX UX_TB_TICKET_RETURN_OUTBOX_MessageKey
        ON dbo.TB_TICKET_RETURN_OUTBOX (MessageKey)
        WHERE MessageKey IS NOT NULL');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.MessageKey';
    PRINT 'created dbo.TB_TICKET_RETURN_OUTBOX.UX_TB_TICKET_RETURN_OUTBOX_MessageKey';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'OrderKey') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD OrderKey VARCHAR(200) NULL;
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_OrderKey
        ON dbo.TB_TICKET_RETURN_OUTBOX (OrderKey, Id)
        WHERE OrderKey IS NOT NULL AND Status <> ''Sent''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.OrderKey';
    PRINT 'created dbo.TB_TICKET_RETURN_OUTBOX.IX_TB_TICKET_RETURN_OUTBOX_OrderKey';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'LastAttemptAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD LastAttemptAt DATETIME2 NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.LastAttemptAt';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'ProcessedAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD ProcessedAt DATETIME2 NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.ProcessedAt';
END
GO

-- No default: a phase 6 that another system writes must not overtake its phase 15. The sweep makes due what is ready.
IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'NextAttemptAt') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD NextAttemptAt DATETIME2 NULL;
    EXEC('UPDATE dbo.TB_TICKET_INTERFACE SET NextAttemptAt = SYSUTCDATETIME()
        WHERE (Status = ''Awaiting'' AND PhaseCode <> 6) OR (Status = ''Error'' AND AttemptCount < 5)');
    EXEC('UPDATE dbo.TB_TICKET_INTERFACE SET NextAttemptAt = DATEADD(MINUTE, 5, SYSUTCDATETIME())
        WHERE Status = ''Processing''');
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_ProcessingLane
        ON dbo.TB_TICKET_INTERFACE (NextAttemptAt, Id)
        WHERE NextAttemptAt IS NOT NULL AND Status <> ''Processed''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_TICKET_INTERFACE.NextAttemptAt';
    PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_ProcessingLane';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'LeaseOwner') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD LeaseOwner VARCHAR(100) NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.LeaseOwner';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'TraceParent') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD TraceParent VARCHAR(55) NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.TraceParent';
END
GO

-- No default: a ticket is sent to the gateway once it is processed. One that was called back has been sent.
IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendNextAttemptAt') IS NULL
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD GatewaySendNextAttemptAt DATETIME2 NULL;
    EXEC('UPDATE dbo.TB_TICKET_INTERFACE SET GatewaySendNextAttemptAt = SYSUTCDATETIME()
        WHERE ((GatewaySendStatus = ''Pending'' AND PhaseCode <> 6)
            OR (GatewaySendStatus = ''Error'' AND GatewaySendAttemptCount < 5))
        AND Status = ''Processed'' AND CallbackStatus = ''Pending''');
    EXEC('UPDATE dbo.TB_TICKET_INTERFACE SET GatewaySendNextAttemptAt = DATEADD(MINUTE, 5, SYSUTCDATETIME())
        WHERE GatewaySendStatus = ''Sending'' AND Status = ''Processed'' AND CallbackStatus = ''Pending''');
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_GatewayLane
        ON dbo.TB_TICKET_INTERFACE (TargetApplicationCode, GatewaySendNextAttemptAt, Id)
        WHERE GatewaySendNextAttemptAt IS NOT NULL AND GatewaySendStatus <> ''Sent''');
    COMMIT TRANSACTION;
    PRINT 'added dbo.TB_TICKET_INTERFACE.GatewaySendNextAttemptAt';
    PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_GatewayLane';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendLeaseOwner') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD GatewaySendLeaseOwner VARCHAR(100) NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.GatewaySendLeaseOwner';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'NextAttemptAt') IS NULL
   OR COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'LeaseOwner') IS NULL
   OR COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'TraceParent') IS NULL
   OR COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'MessageKey') IS NULL
   OR COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'OrderKey') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'NextAttemptAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'LeaseOwner') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'TraceParent') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'MessageKey') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'OrderKey') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'LastAttemptAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'ProcessedAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'NextAttemptAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'LeaseOwner') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'TraceParent') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendNextAttemptAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendLeaseOwner') IS NULL
BEGIN
    THROW 51001, '003_lanes.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 3)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (3, '003_lanes.sql');
END
GO
