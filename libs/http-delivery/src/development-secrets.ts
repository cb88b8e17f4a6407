/** Public, and so good for nothing but development: what signs deliveries, and what signs an authority's callbacks. */
export const DEVELOPMENT_SIGNING_SECRET = 'whsec_bWFsb3RlLWRldmVsb3BtZW50LXNlY3JldC1vbmx5';
export const DEVELOPMENT_CALLBACK_SECRET = 'whsec_bWFsb3RlLWRldmVsb3BtZW50LWNhbGxiYWNrLW9ubHk=';
