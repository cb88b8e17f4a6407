-- Numbers whose predecessor neither was taken nor skipped by an adjustment; no row means that there is no gap.
SELECT
    n.DocumentTypeName,
    n.FormattedNumber,
    n.Position,
    n.GeneratedAtLocal
FROM dbo.TB_NUMBER_LOGS AS n
WHERE n.Kind = 'generated'
  AND n.Number > 1
  AND NOT EXISTS (
      SELECT 1
      FROM dbo.TB_NUMBER_LOGS AS p
      WHERE p.DocumentTypeId = n.DocumentTypeId
        AND p.Year = n.Year
        AND p.Number = n.Number - 1
        AND p.Kind IN ('generated', 'adjusted')
  )
ORDER BY n.Year, n.DocumentTypeName, n.Number;
