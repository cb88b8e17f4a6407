const FOR_PROGRAMS = /^\/(?:api|docs|health|metrics|openapi\.json)(?:[/?]|$)/;

/** Whether people read what is at this address; the rest of the service speaks to programs. */
export function isPagePath(url: string): boolean {
  return !FOR_PROGRAMS.test(url);
}
