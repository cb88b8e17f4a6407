/**
 * Under the stricter policy of our APIs, browsers hide the origin of a form even from the site it belongs to; over plain http,
 * where they send nothing else to tell it by, every form would be refused as another site's.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
} as const;
