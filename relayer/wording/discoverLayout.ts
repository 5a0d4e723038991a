/** What to do when the bytes of a message do not fit the configured layout. */
export const DISCOVER_LAYOUT =
  "Run homeprice message discover-layout: it tries layouts until the signatures of live prices verify (or, with --from, those of a saved answer), and says what to put into layout (HOMEPRICE_LAYOUT).";
