/** Most markets of one request (specification, limits). */
export const MAX_MARKETS_PER_REQUEST = 1000;
