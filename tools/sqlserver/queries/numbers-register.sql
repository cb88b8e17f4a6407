-- The register of numbers as they were taken, newest first; each condition counts once it is given a value.
DECLARE @Count INT = 50;
DECLARE @DocumentTypeName NVARCHAR(50) = NULL;
DECLARE @UserEmail VARCHAR(254) = NULL;
DECLARE @FirstDay DATE = NULL;
DECLARE @LastDay DATE = NULL;

SELECT TOP (@Count)
    n.Id,
    n.DocumentTypeName,
    n.Prefix,
    n.FormattedNumber,
    n.Subject,
    n.Recipient,
    n.UserName,
    n.UserEmail,
    n.GeneratedAtLocal,
    a.GeneratedAtLocal AS AnnulledAtLocal,
    a.UserName AS AnnulledBy,
    a.Reason AS AnnulledBecause
FROM dbo.TB_NUMBER_LOGS AS n
LEFT JOIN dbo.TB_NUMBER_LOGS AS a
    ON a.DocumentTypeId = n.DocumentTypeId AND a.Year = n.Year AND a.Number = n.Number AND a.Kind = 'annulled'
WHERE n.Kind = 'generated'
  AND (@DocumentTypeName IS NULL OR n.DocumentTypeName = @DocumentTypeName)
  AND (@UserEmail IS NULL OR n.UserEmail = @UserEmail)
  AND (@FirstDay IS NULL OR LEFT(n.GeneratedAtLocal, 10) >= CONVERT(VARCHAR(10), @FirstDay, 23))
  AND (@LastDay IS NULL OR LEFT(n.GeneratedAtLocal, 10) <= CONVERT(VARCHAR(10), @LastDay, 23))
ORDER BY n.Id DESC;
