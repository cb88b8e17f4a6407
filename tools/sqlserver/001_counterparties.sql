-- Counterparties with their addresses and fiscal references (specification 3.1 to 3.3).
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

IF OBJECT_ID('dbo.TB_COUNTERPARTIES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_COUNTERPARTIES (
        Id                    BIGINT IDENTITY(1,1) NOT NULL,
        BusinessDocId         VARCHAR(100)         NOT NULL,
        BusinessAppId         VARCHAR(20)          NULL,
        BusinessEntity        VARCHAR(20)          NULL,
        OriginalBusinessDocId VARCHAR(100)         NULL,
        CounterpartyId        VARCHAR(50)          NULL,
        EntityType            VARCHAR(10)          NULL,
        Name                  VARCHAR(200)         NULL,
        LocalName             VARCHAR(200)         NULL,
        SearchName            VARCHAR(200)         NULL,
        ReferenceCode         VARCHAR(50)          NULL,
        IsDeleted             BIT                  NOT NULL CONSTRAINT DF_TB_COUNTERPARTIES_IsDeleted DEFAULT 0,
        Source                VARCHAR(20)          NULL,
        Status                VARCHAR(30)          NOT NULL CONSTRAINT DF_TB_COUNTERPARTIES_Status DEFAULT 'Received',
        CreatedAt             DATETIME2            NOT NULL CONSTRAINT DF_TB_COUNTERPARTIES_CreatedAt DEFAULT SYSUTCDATETIME(),
        UpdatedAt             DATETIME2            NULL,
        RawPayload            NVARCHAR(MAX)        NULL,
        CONSTRAINT PK_TB_COUNTERPARTIES PRIMARY KEY CLUSTERED (Id)
    );
    CREATE UNIQUE NONCLUSTERED INDEX UQ_TB_COUNTERPARTIES_BusinessDocId
        ON dbo.TB_COUNTERPARTIES (BusinessDocId);
    CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTIES_CounterpartyId ON dbo.TB_COUNTERPARTIES (CounterpartyId)
        WHERE CounterpartyId IS NOT NULL;
    CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTIES_EntityType ON dbo.TB_COUNTERPARTIES (EntityType);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_COUNTERPARTIES';
END
GO

IF OBJECT_ID('dbo.TB_COUNTERPARTY_ADDRESSES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_COUNTERPARTY_ADDRESSES (
        Id               BIGINT IDENTITY(1,1) NOT NULL,
        CounterpartyIdFk BIGINT               NOT NULL,
        AddressTypeCode  VARCHAR(10)          NULL,
        AddressTypeName  VARCHAR(50)          NULL,
        Phone            VARCHAR(30)          NULL,
        Fax              VARCHAR(30)          NULL,
        AddrLine1        VARCHAR(200)         NULL,
        AddrLine2        VARCHAR(200)         NULL,
        CityCode         VARCHAR(30)          NULL,
        ZipCode          VARCHAR(20)          NULL,
        State            VARCHAR(10)          NULL,
        District         VARCHAR(100)         NULL,
        IsMainAddress    BIT                  NOT NULL CONSTRAINT DF_TB_COUNTERPARTY_ADDRESSES_IsMainAddress DEFAULT 0,
        IsDeleted        BIT                  NOT NULL CONSTRAINT DF_TB_COUNTERPARTY_ADDRESSES_IsDeleted DEFAULT 0,
        CreatedAt        DATETIME2            NOT NULL CONSTRAINT DF_TB_COUNTERPARTY_ADDRESSES_CreatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_COUNTERPARTY_ADDRESSES PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT FK_TB_COUNTERPARTY_ADDRESSES_Counterparty FOREIGN KEY (CounterpartyIdFk)
            REFERENCES dbo.TB_COUNTERPARTIES (Id) ON DELETE CASCADE
    );
    CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTY_ADDRESSES_CounterpartyIdFk
        ON dbo.TB_COUNTERPARTY_ADDRESSES (CounterpartyIdFk);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_COUNTERPARTY_ADDRESSES';
END
GO

IF OBJECT_ID('dbo.TB_COUNTERPARTY_FISCAL_REFERENCES', 'U') IS NULL
BEGIN
    BEGIN TRANSACTION;
    CREATE TABLE dbo.TB_COUNTERPARTY_FISCAL_REFERENCES (
        Id                      BIGINT IDENTITY(1,1) NOT NULL,
        CounterpartyIdFk        BIGINT               NOT NULL,
        FiscalReferenceTypeCode VARCHAR(10)          NULL,
        FiscalReferenceTypeName VARCHAR(50)          NULL,
        FiscalNumber            VARCHAR(30)          NULL,
        CreatedAt               DATETIME2            NOT NULL CONSTRAINT DF_TB_COUNTERPARTY_FISCAL_REFERENCES_CreatedAt DEFAULT SYSUTCDATETIME(),
        CONSTRAINT PK_TB_COUNTERPARTY_FISCAL_REFERENCES PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT FK_TB_COUNTERPARTY_FISCAL_REFERENCES_Counterparty FOREIGN KEY (CounterpartyIdFk)
            REFERENCES dbo.TB_COUNTERPARTIES (Id) ON DELETE CASCADE
    );
    CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTY_FISCAL_REFERENCES_CounterpartyIdFk
        ON dbo.TB_COUNTERPARTY_FISCAL_REFERENCES (CounterpartyIdFk);
    CREATE NONCLUSTERED INDEX IX_TB_COUNTERPARTY_FISCAL_REFERENCES_FiscalNumber
        ON dbo.TB_COUNTERPARTY_FISCAL_REFERENCES (FiscalNumber);
    COMMIT TRANSACTION;
    PRINT 'created dbo.TB_COUNTERPARTY_FISCAL_REFERENCES';
END
GO

-- sqlcmd goes on after a failed batch: only a complete script may say that it was applied.
IF OBJECT_ID('dbo.TB_COUNTERPARTIES', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_COUNTERPARTY_ADDRESSES', 'U') IS NULL
   OR OBJECT_ID('dbo.TB_COUNTERPARTY_FISCAL_REFERENCES', 'U') IS NULL
BEGIN
    THROW 51001, '001_counterparties.sql is incomplete; see the errors above', 1;
END
IF NOT EXISTS (SELECT 1 FROM dbo.TB_SCHEMA_HISTORY WHERE Version = 1)
BEGIN
    INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (1, '001_counterparties.sql');
END
GO
