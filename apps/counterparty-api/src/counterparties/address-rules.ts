import { buildMessage, ValidateBy } from 'class-validator';

/**
 * Of two main addresses nobody can say which one is meant, and whoever reads them takes one by chance: the sender has to say. A
 * deleted one may have been the main address before.
 */
export function HasOneMainAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'hasOneMainAddress',
    validator: {
      validate: (value) => mainAddresses(value).length <= 1,
      defaultMessage: buildMessage((_, args) => {
        const places = mainAddresses(args?.value).join(' and ');
        return `$property must have one main address at most; ${places} are marked and not deleted`;
      }),
    },
  });
}

function mainAddresses(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((address, place) => (isMainAddress(address) ? [place] : []));
}

function isMainAddress(address: unknown): boolean {
  if (typeof address !== 'object' || address === null) return false;
  const { isMainAddress: isMain, isDeleted } = address as Readonly<Record<string, unknown>>;
  return isMain === true && isDeleted !== true;
}
