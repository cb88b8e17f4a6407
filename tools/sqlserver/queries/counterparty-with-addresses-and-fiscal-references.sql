-- One counterparty, then its addresses, then its fiscal references: three results.
DECLARE @BusinessDocId VARCHAR(100) = '01-0107-0257-5200004';

SELECT
    Id,
    BusinessDocId,
    BusinessEntity,
    CounterpartyId,
    EntityType,
    Name,
    IsDeleted,
    Status,
    CreatedAt,
    UpdatedAt
FROM dbo.TB_COUNTERPARTIES
WHERE BusinessDocId = @BusinessDocId;

SELECT
    t.Id,
    t.AddressTypeCode,
    t.AddressTypeName,
    t.Phone,
    t.Fax,
    t.AddrLine1,
    t.AddrLine2,
    t.CityCode,
    t.ZipCode,
    t.State,
    t.District,
    t.IsMainAddress,
    t.IsDeleted,
    t.CreatedAt
FROM dbo.TB_COUNTERPARTIES c
JOIN dbo.TB_COUNTERPARTY_ADDRESSES t ON t.CounterpartyIdFk = c.Id
WHERE c.BusinessDocId = @BusinessDocId
ORDER BY t.Id;

SELECT
    t.Id,
    t.FiscalReferenceTypeCode,
    t.FiscalReferenceTypeName,
    t.FiscalNumber,
    t.CreatedAt
FROM dbo.TB_COUNTERPARTIES c
JOIN dbo.TB_COUNTERPARTY_FISCAL_REFERENCES t ON t.CounterpartyIdFk = c.Id
WHERE c.BusinessDocId = @BusinessDocId
ORDER BY t.Id;
