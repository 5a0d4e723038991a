/** When a block counts as final: by the chain's own `finalized` tag, or with that many blocks on top of it. */
export type Finality = "finalized" | number;
