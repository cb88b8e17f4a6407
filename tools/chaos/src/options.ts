/** What a run was asked for; ends the process when it was asked for help or for something that does not exist. */
export function optionsOrExit<T>(args: readonly string[], usage: string, read: () => T): T {
  if (args.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

export function whole(name: string, text: string, least = 0): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) {
    throw new Error(`--${name} must be a whole number of at least ${least}`);
  }
  return value;
}
