import type { Account, Chain, Client, Transport } from "viem";

/** Any viem client with a connection to the chain: public, wallet, or a bare one. */
export type SdkClient = Client<Transport, Chain | undefined, Account | undefined>;
