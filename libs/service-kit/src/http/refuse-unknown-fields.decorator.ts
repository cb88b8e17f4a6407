import 'reflect-metadata';

const KEY = Symbol('refuses unknown fields');

/** For commands where a misspelt optional field must not pass silently. */
export function RefuseUnknownFields(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(KEY, true, target);
  };
}

export function refusesUnknownFields(dto: object): boolean {
  return Reflect.getMetadata(KEY, dto) === true;
}
