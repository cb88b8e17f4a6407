-- A page of the counterparties of a business entity; for the next one set @AfterId to the last Id of this one.
DECLARE @BusinessEntity VARCHAR(20) = 'TCK';
DECLARE @AfterId BIGINT = 0;
DECLARE @PageSize INT = 50;

SELECT TOP (@PageSize)
    Id,
    BusinessDocId,
    CounterpartyId,
    EntityType,
    Name,
    ReferenceCode,
    IsDeleted,
    Status,
    CreatedAt,
    UpdatedAt
FROM dbo.TB_COUNTERPARTIES
WHERE BusinessEntity = @BusinessEntity
  AND Id > @AfterId
ORDER BY Id;
