/**
 * A development chain in a process of its own: prints `{"rpcUrl": …}` when it is ready, and stays up until it is ended.
 *
 *     node scripts/benchmark/relayChainProcess.ts CHAIN_ID
 */
import { startLocalChain } from "../../relayer/local/localChain.ts";

const [, , chainId = "31337"] = process.argv;
const { rpcUrl } = await startLocalChain(0, Number(chainId));
process.stdout.write(`${JSON.stringify({ rpcUrl })}\n`);
