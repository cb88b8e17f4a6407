-- The delivery engine: workers that vanished are counted apart from attempts, dead messages can be discarded, a probe belongs to
-- whoever makes it. The lanes' indexes answer how much waits without reading a row, a second one finds what is parked or dead,
-- and the order of a key is read from its index alone: whoever went on from there to the rows would meet settling workers head-on.
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'AbandonCount') IS NULL
BEGIN
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD AbandonCount INT NOT NULL CONSTRAINT DF_TB_FUNCTIONAL_ACK_OUTBOX_AbandonCount DEFAULT 0;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.AbandonCount';
END
GO

IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'DiscardedAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_FUNCTIONAL_ACK_OUTBOX ADD DiscardedAt DATETIME2 NULL;
    PRINT 'added dbo.TB_FUNCTIONAL_ACK_OUTBOX.DiscardedAt';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'AbandonCount') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD AbandonCount INT NOT NULL CONSTRAINT DF_TB_TICKET_RETURN_OUTBOX_AbandonCount DEFAULT 0;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.AbandonCount';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'DiscardedAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_RETURN_OUTBOX ADD DiscardedAt DATETIME2 NULL;
    PRINT 'added dbo.TB_TICKET_RETURN_OUTBOX.DiscardedAt';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'AbandonCount') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD AbandonCount INT NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_AbandonCount DEFAULT 0;
    PRINT 'added dbo.TB_TICKET_INTERFACE.AbandonCount';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'DiscardedAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD DiscardedAt DATETIME2 NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.DiscardedAt';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendAbandonCount') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD GatewaySendAbandonCount INT NOT NULL CONSTRAINT DF_TB_TICKET_INTERFACE_GatewaySendAbandonCount DEFAULT 0;
    PRINT 'added dbo.TB_TICKET_INTERFACE.GatewaySendAbandonCount';
END
GO

IF COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendDiscardedAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_TICKET_INTERFACE ADD GatewaySendDiscardedAt DATETIME2 NULL;
    PRINT 'added dbo.TB_TICKET_INTERFACE.GatewaySendDiscardedAt';
END
GO

IF COL_LENGTH('dbo.TB_OUTBOX_TARGETS', 'ProbeOwner') IS NULL
BEGIN
    ALTER TABLE dbo.TB_OUTBOX_TARGETS ADD ProbeOwner VARCHAR(100) NULL;
    PRINT 'added dbo.TB_OUTBOX_TARGETS.ProbeOwner';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'AbandonCount') IS NULL
   OR COL_LENGTH('dbo.TB_FUNCTIONAL_ACK_OUTBOX', 'DiscardedAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'AbandonCount') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_RETURN_OUTBOX', 'DiscardedAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'AbandonCount') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'DiscardedAt') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendAbandonCount') IS NULL
   OR COL_LENGTH('dbo.TB_TICKET_INTERFACE', 'GatewaySendDiscardedAt') IS NULL
   OR COL_LENGTH('dbo.TB_OUTBOX_TARGETS', 'ProbeOwner') IS NULL
BEGIN
    THROW 51001, '008_delivery_engine.sql is incomplete; see the errors above', 1;
END
-- The history row is the guard: it commits together with the rest.
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 8)
BEGIN
    BEGIN TRANSACTION;
    -- What was released from its order before this version has lost its order key: put back, it would overtake whatever went on
    -- without it. It counts as discarded, unless somebody has put it back since. Only these two lanes had an order.
    UPDATE dbo.TB_FUNCTIONAL_ACK_OUTBOX
        SET DiscardedAt = r.ReleasedAt
        FROM dbo.TB_FUNCTIONAL_ACK_OUTBOX
        JOIN (
            SELECT CAST(j.value AS BIGINT) AS Id, MAX(CASE a.Action WHEN 'release' THEN a.CreatedAt END) AS ReleasedAt
            FROM dbo.TB_OUTBOX_ACTIONS AS a CROSS APPLY OPENJSON(a.Selection, '$.ids') AS j
            WHERE a.Lane = 'functional-ack' AND a.Action IN ('release', 'replay')
            GROUP BY CAST(j.value AS BIGINT)
            HAVING MAX(CASE a.Action WHEN 'release' THEN a.Id ELSE 0 END) > MAX(CASE a.Action WHEN 'replay' THEN a.Id ELSE 0 END)
        ) AS r ON r.Id = TB_FUNCTIONAL_ACK_OUTBOX.Id
        WHERE TB_FUNCTIONAL_ACK_OUTBOX.Status = 'Error' AND TB_FUNCTIONAL_ACK_OUTBOX.NextAttemptAt IS NULL
            AND TB_FUNCTIONAL_ACK_OUTBOX.DiscardedAt IS NULL;
    PRINT 'discarded in dbo.TB_FUNCTIONAL_ACK_OUTBOX what had been released';
    UPDATE dbo.TB_TICKET_RETURN_OUTBOX
        SET DiscardedAt = r.ReleasedAt
        FROM dbo.TB_TICKET_RETURN_OUTBOX
        JOIN (
            SELECT CAST(j.value AS BIGINT) AS Id, MAX(CASE a.Action WHEN 'release' THEN a.CreatedAt END) AS ReleasedAt
            FROM dbo.TB_OUTBOX_ACTIONS AS a CROSS APPLY OPENJSON(a.Selection, '$.ids') AS j
            WHERE a.Lane = 'ticket-return' AND a.Action IN ('release', 'replay')
            GROUP BY CAST(j.value AS BIGINT)
            HAVING MAX(CASE a.Action WHEN 'release' THEN a.Id ELSE 0 END) > MAX(CASE a.Action WHEN 'replay' THEN a.Id ELSE 0 END)
        ) AS r ON r.Id = TB_TICKET_RETURN_OUTBOX.Id
        WHERE TB_TICKET_RETURN_OUTBOX.Status = 'Error' AND TB_TICKET_RETURN_OUTBOX.NextAttemptAt IS NULL
            AND TB_TICKET_RETURN_OUTBOX.DiscardedAt IS NULL;
    PRINT 'discarded in dbo.TB_TICKET_RETURN_OUTBOX what had been released';
    DROP INDEX IF EXISTS IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane ON dbo.TB_FUNCTIONAL_ACK_OUTBOX;
    CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (TargetUrl, NextAttemptAt, Id, Status, CreatedAt)
        WHERE NextAttemptAt IS NOT NULL AND Status <> 'Sent';
    PRINT 'replaced dbo.TB_FUNCTIONAL_ACK_OUTBOX.IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane';
    CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_Resting
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt)
        WHERE NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL;
    PRINT 'created dbo.TB_FUNCTIONAL_ACK_OUTBOX.IX_TB_FUNCTIONAL_ACK_OUTBOX_Resting';
    DROP INDEX IF EXISTS IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey ON dbo.TB_FUNCTIONAL_ACK_OUTBOX;
    CREATE NONCLUSTERED INDEX IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey
        ON dbo.TB_FUNCTIONAL_ACK_OUTBOX (OrderKey, Id, DiscardedAt)
        WHERE OrderKey IS NOT NULL AND Status <> 'Sent';
    PRINT 'replaced dbo.TB_FUNCTIONAL_ACK_OUTBOX.IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey';
    DROP INDEX IF EXISTS IX_TB_TICKET_RETURN_OUTBOX_Lane ON dbo.TB_TICKET_RETURN_OUTBOX;
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_Lane
        ON dbo.TB_TICKET_RETURN_OUTBOX (TargetUrl, NextAttemptAt, Id, Status, CreatedAt)
        WHERE NextAttemptAt IS NOT NULL AND Status <> 'Sent';
    PRINT 'replaced dbo.TB_TICKET_RETURN_OUTBOX.IX_TB_TICKET_RETURN_OUTBOX_Lane';
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_Resting
        ON dbo.TB_TICKET_RETURN_OUTBOX (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt)
        WHERE NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL;
    PRINT 'created dbo.TB_TICKET_RETURN_OUTBOX.IX_TB_TICKET_RETURN_OUTBOX_Resting';
    DROP INDEX IF EXISTS IX_TB_TICKET_RETURN_OUTBOX_OrderKey ON dbo.TB_TICKET_RETURN_OUTBOX;
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_RETURN_OUTBOX_OrderKey
        ON dbo.TB_TICKET_RETURN_OUTBOX (OrderKey, Id, DiscardedAt)
        WHERE OrderKey IS NOT NULL AND Status <> 'Sent';
    PRINT 'replaced dbo.TB_TICKET_RETURN_OUTBOX.IX_TB_TICKET_RETURN_OUTBOX_OrderKey';
    DROP INDEX IF EXISTS IX_TB_TICKET_INTERFACE_ProcessingLane ON dbo.TB_TICKET_INTERFACE;
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_ProcessingLane
        ON dbo.TB_TICKET_INTERFACE (NextAttemptAt, Id, Status, CreatedAt)
        WHERE NextAttemptAt IS NOT NULL AND Status <> 'Processed';
    PRINT 'replaced dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_ProcessingLane';
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_ProcessingResting
        ON dbo.TB_TICKET_INTERFACE (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt)
        WHERE NextAttemptAt IS NULL AND Status <> 'Processed' AND DiscardedAt IS NULL;
    PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_ProcessingResting';
    DROP INDEX IF EXISTS IX_TB_TICKET_INTERFACE_GatewayLane ON dbo.TB_TICKET_INTERFACE;
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_GatewayLane
        ON dbo.TB_TICKET_INTERFACE (TargetApplicationCode, GatewaySendNextAttemptAt, Id, GatewaySendStatus, CreatedAt)
        WHERE GatewaySendNextAttemptAt IS NOT NULL AND GatewaySendStatus <> 'Sent';
    PRINT 'replaced dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_GatewayLane';
    CREATE NONCLUSTERED INDEX IX_TB_TICKET_INTERFACE_GatewayResting
        ON dbo.TB_TICKET_INTERFACE (GatewaySendStatus, Id, CreatedAt, GatewaySendNextAttemptAt, GatewaySendDiscardedAt, Status, CallbackStatus)
        WHERE GatewaySendNextAttemptAt IS NULL AND GatewaySendStatus <> 'Sent' AND GatewaySendDiscardedAt IS NULL
            AND Status = 'Processed' AND CallbackStatus = 'Pending';
    PRINT 'created dbo.TB_TICKET_INTERFACE.IX_TB_TICKET_INTERFACE_GatewayResting';
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (8, '008_delivery_engine.sql');
    COMMIT TRANSACTION;
END
GO
