/** The decorators' own memory, which the package does not type. */
declare module 'class-transformer/cjs/storage.js' {
  interface MetadataStorage {
    findTypeMetadata(target: unknown, property: string): object | undefined;
    findTransformMetadatas(target: unknown, property: string, type: 0): object[];
    findExposeMetadata(target: unknown, property: string): object | undefined;
    findExcludeMetadata(target: unknown, property: string): object | undefined;
    getStrategy(target: unknown): 'none' | 'exposeAll' | 'excludeAll';
  }
  export const defaultMetadataStorage: MetadataStorage;
}
