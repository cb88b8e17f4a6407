-- One counterparty with the payload it was last received with.
DECLARE @BusinessDocId VARCHAR(100) = '01-0107-0257-5200004';

SELECT
    Id,
    BusinessDocId,
    BusinessAppId,
    BusinessEntity,
    OriginalBusinessDocId,
    CounterpartyId,
    EntityType,
    Name,
    LocalName,
    SearchName,
    ReferenceCode,
    IsDeleted,
    Source,
    Status,
    CreatedAt,
    UpdatedAt,
    RawPayload
FROM dbo.TB_COUNTERPARTIES
WHERE BusinessDocId = @BusinessDocId;
