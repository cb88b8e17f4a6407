import 'reflect-metadata';

const KEY = Symbol('ignores the case of names');

/** For requests of partners whose systems write names in any case: `businessDocID` is `businessDocId`, nested DTOs included. */
export function IgnoreNameCase(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(KEY, true, target);
  };
}

export function ignoresNameCase(dto: object): boolean {
  return Reflect.getMetadata(KEY, dto) === true;
}
