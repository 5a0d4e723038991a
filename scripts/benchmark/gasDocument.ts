import { HARDFORKS, type Hardfork } from "./benchmarkChain.ts";
import { checkBounds, each } from "./bounds.ts";
import type { DeploymentGas } from "./callTrace.ts";
import { adapterTable, outOfBandTable, pullTable, readTable, storingTable } from "./consumerTables.ts";
import { type ForkFigures, type GasFigures, SIGNERS } from "./gasFigures.ts";
import { markdownTable, number } from "./markdownTable.ts";
import { STATEMENT } from "./oracleWithoutHistory.ts";
import { PEERS } from "./peers.ts";
import { gasOfFurtherNeedlessUpdate, gasOfNeedlessUpdate } from "./pullGas.ts";
import { DIRECT_READ } from "./readGas.ts";
import type { CompilerSettings, Toolchain } from "./toolchain.ts";
import { FEEDS, type Feeds, UPDATE_COUNTS, type UpdateFigures } from "./updateGas.ts";
import { BATCH_SIZES, FORMS, type Form, OTHER_LENGTHS, type Sample, SIGNATURES_OF_A_KEY } from "./verifierGas.ts";

/** What a verifier of somebody else used in this run. */
export type MeasuredPeer = { readonly name: string; readonly gas: Sample; readonly sha512?: number | undefined };

const FORM_NAMES: Readonly<Record<Form, string>> = { hinted: "with hint", plain: "without" };
const FORK_NAMES: Readonly<Record<Hardfork, string>> = { osaka: "Osaka", prague: "Prague" };
const FEED_NAMES: Readonly<Record<Feeds, string>> = {
  existing: "existing feeds",
  beginning: "existing feeds, three dates begin",
  new: "new feeds",
  skipped: "skipped",
};
/** Where a transaction's gas (EIP-7825) is not enough. */
const DOES_NOT_FIT = "does not fit";

/** What a call to a warm account costs by itself (EIP-2929). */
const WARM_CALL_GAS = 100;

/** All figures as Markdown, for people and for `docs/gas.md`. Peers that were measured take their quotation's place. */
export function gasDocument(
  figures: GasFigures,
  { hardhat, solc, settings, exceptions }: Toolchain,
  measuredPeers: readonly MeasuredPeer[] = [],
): string {
  return `# Gas

Written by \`npm run bench:gas\`, which measures all of it anew; \`npm run bench:gas -- --check\` compares instead, and so
do the tests. Every figure is exact and the same on every machine: keys, messages and prices are fixed.

## Where the field stands

Gas inside the call for one RFC 8032 signature over 74 bytes, by Osaka's rules.

${fieldTable(figures.osaka, measuredPeers)}

The others' figures, unless noted, are quoted from a measurement side by side, the mean of 24 signatures of three keys:
solc 0.8.30 (0.6.8 for chengwenxi), optimizer on with 1,000,000 runs, gasleft() before and after the library call, all
accounts warm. How to measure them in the same run as ours, with the same signatures, is
[below](#measuring-other-verifiers).

## Bounds

The dearer of Osaka and Prague. A verification counts every access to a cold account that it makes.

${boundsTable(figures)}

## One signature over 74 bytes

${verificationTable(figures)}

${sampleSentence(figures)}

"Curve and the rest" is a subtraction: the figure with warm accounts, less what the contract that hashes uses, less the
${WARM_CALL_GAS} of the call to it. What remains is S·B - h·A and its comparison with R, and besides some hundreds for reading the
calldata, reducing h, and checking S and the hint. Without hint, it contains an inversion by MODEXP, which Osaka made
dearer (EIP-7883). A caller pays for its own call on top: 2,600 when the verifier is cold, 100 when it is warm.

## Batches

Gas inside one call of \`verifyBatchWithHints\` or \`verifyBatch\`, for each signature over 74 bytes, rounded up; everything
cold but the verifier.

${batchTable(figures)}

## SHA-512

Gas inside a call of the contracts that verifiers share.

${hashingTable(figures)}

## Messages of other lengths

Gas inside the call for one signature, cold.

${lengthTable(figures)}

## Deployment and registration

Whole transactions: those of \`homeprice deploy\` on a chain that has the deterministic proxy and nothing of ours, and
\`factory.deploy\` for another key. Registering a key derives its tables on-chain; the rest is paid once a chain, for all
keys. Every byte of calldata is counted at 16 gas, so the transactions take a little less: how many bytes are zero, which
cost 4, changes with every comment in a source, of which the compiler puts a hash into the code.

${deploymentTable(figures)}

## Updates

Whole transactions \`updatePrices\` to an oracle with one signer, from an account to the oracle; feeds have a band. Existing
feeds have the price of the day before. History keeps three dates in a slot: where these begin, the feeds' latest price is
of an earlier slot. New feeds have no price; updates are skipped when they are not newer. An update with hint has 171
bytes, one without 138. The transaction is the 21,000 of any transaction, calldata and execution, or the floor of EIP-7623
where that is more. Verification is what verifiers use of the execution; the rest of it is checks, storage and events.

${byHardfork(figures, ({ updates }) => updateTable(updates))}

## History and bands

What an update takes more of execution because the oracle keeps the price of every date, and because it compares prices
with their feed's band: the mean of so many updates with hint in one transaction, rounded up.

History is measured by bringing the same updates to two oracles: ours, and one of the same sources, compiler settings and
arguments from which one statement is left out: \`${STATEMENT}\`, which writes a served price into
its date's place. So the difference has in it reading and writing the slot (5,000 where it has begun, 22,100 where it
begins), what is computed for that, and whatever the compiler arranges otherwise without the statement. The band is
measured in the same way by an oracle of the same code that has none by default.

${byHardfork(figures, ({ storing }) => storingTable(storing))}

A price outside the band waits. What one update with hint executes in all:

${byHardfork(figures, ({ storing }) => outOfBandTable(storing))}

## Reads

What a contract pays for a read: the call, which is 2,600 for an account that the transaction has not accessed yet and
100 for another (EIP-2929), and what is executed inside. Cold is the first thing in a transaction; warm is the same read
once more. What the reader does by itself, such as decoding the answer, comes on top. "More" is the difference to the
direct read, \`${DIRECT_READ.read}\` of the oracle.

The feed has a price of each of the last 366 dates; spans begin in the middle of a slot, where they touch most of them.
The feed of the loan token is the one that Chainlink publishes for tests; a true one, behind its proxy, takes more. The
oracle compares a call with its functions one after the other, in the order of their selectors and at 22 gas each, which
makes some reads dearer than others of their kind.

${byHardfork(figures, ({ reads }) => readTable(reads))}

Adapters are deployed by their factories. These transactions, with every byte of calldata at 16 gas:

${adapterTable(figures)}

## Pull

Transactions from an account to a consumer that needs prices of today. It gets them in one of the two ways of
\`HomePriceConsumer\` and acts on them, by writing their sum into a slot that has been written before
(\`contracts/testing/benchmark/HomeValuation.sol\`).

- Brings: the oracle has the prices of yesterday, and the transaction carries those of today, with hint.
- Already brought: the same transaction after somebody else has brought the same prices.
- No updates: the oracle has the prices of today, and the transaction carries none.
- For each: what each update that was already brought adds to the execution of a call without updates, rounded up. Its
  calldata is paid besides.

A consumer that asks first looks at no update that is not needed: they add nothing. One that always brings them calls the
oracle for it. That call comes with the first update, which takes ${number(gasOfNeedlessUpdate(figures.osaka.pulls, "bring", 1))}; each further one takes ${number(gasOfFurtherNeedlessUpdate(figures.osaka.pulls))}.

${byHardfork(figures, ({ pulls }) => pullTable(pulls))}

## Method

A chain of Hardhat ${hardhat} in the process for each hard fork. Contracts are those of the build: solc ${solc},
${describeSettings(settings)}${exceptions.map((exception) => `; \`${exception.source}\` ${describeSettings(exception.settings)}`).join("")}.

A call is run by \`debug_traceCall\`, and gas inside it is what geth's callTracer reports for its frame: the gas that the
callee was given less what it gave back. The frame contains the callee's accesses to cold accounts, and nothing of its
caller's. The call comes from the contract \`ExecutionGasHarness\`, because the frame of a transaction has the transaction's
own cost in it. Warm accounts are those that an access list (EIP-2930) names. Whole transactions are traced without the
harness, or sent; each trace is compared with the sum of its parts: 21,000, calldata by EIP-2028 and EIP-7623, and the
execution as traced with the harness. Reads come from the contract \`TwoReadsHarness\`, which makes each twice; the 2,600
and 100 of the calls themselves are added. Verdicts, digests, what the oracle stored, and answers are checked in every
trace.

## Measuring other verifiers

\`\`\`sh
npm run bench:gas -- --peer NAME=FOLDER    # more than once for several
\`\`\`

The folder holds \`PeerBenchmark.sol\`, which imports the library from where its checkout is, and is yours to write:

\`\`\`solidity
pragma solidity ^0.8.0;

import {Verifier} from "./checkout/Verifier.sol";

contract PeerBenchmark {
    function gasOfVerification(bytes32 publicKey, bytes memory message, bytes32 r, bytes32 s)
        external
        view
        returns (bool valid, uint256 gasUsed)
    {
        uint256 gasBefore = gasleft();
        valid = Verifier.verify(publicKey, message, r, s);
        gasUsed = gasBefore - gasleft();
    }
}
\`\`\`

- A function \`gasOfSha512(bytes)\` that returns \`(bytes32 high, bytes32 low, uint256 gasUsed)\` is optional.
- \`peer.json\` is optional, and so is each of its fields. \`soljson\` is another compiler, its path relative to the folder.
  \`settings\` are the compiler's (standard JSON), in place of ours. \`"signatures": "own"\` says that it verifies something
  else than Ed25519, and signs for itself.
- Version pragmas are ignored. Libraries that are called are deployed, linked, and warm.
- A verifier must accept the ${SIGNATURES_OF_A_KEY * SIGNERS.length} signatures, and none of them with a bit of its message flipped.
- ${PEERS.map(({ name }) => `\`${name}\``).join(", ")} take the place of the quotations; other names are added.
- Nothing is written when others are measured.
`;
}

function fieldTable({ verification }: ForkFigures, measuredPeers: readonly MeasuredPeer[]): string {
  const ours = FORMS.map((form) => {
    const { cold, warm, hashing } = verification[form];
    const note = `${number(warm.mean)} with accounts warm, as the others`;
    return [`home-price-oracle, ${FORM_NAMES[form]}`, sample(cold), sample(hashing), note];
  });
  const quoted = PEERS.map(({ name, source, gas, sha512, note }) => {
    const measured = measuredPeers.find((peer) => peer.name === name);
    if (measured === undefined) return [source, number(gas), number(sha512), note];
    const notes = ["measured in this run", `quoted ${number(gas)}`, ...(note === "" ? [] : [note])];
    return [source, sample(measured.gas), number(measured.sha512 ?? sha512), notes.join("; ")];
  });
  const others = measuredPeers
    .filter(({ name }) => PEERS.every((peer) => peer.name !== name))
    .map(({ name, gas, sha512 }) => [name, sample(gas), number(sha512), "measured in this run"]);
  return markdownTable(["verifier", "gas", "of it SHA-512 of 138 bytes", "notes"], [...ours, ...quoted, ...others]);
}

function boundsTable(figures: GasFigures): string {
  const rows = checkBounds(figures).map(({ what, gas, atMost, goal, holds }) => [
    what,
    gas === null ? DOES_NOT_FIT : number(gas),
    number(atMost),
    number(goal),
    holds ? (gas !== null && goal !== undefined && gas <= goal ? "goal reached" : "holds") : "EXCEEDED",
  ]);
  return markdownTable(["figure", "gas", "at most", "goal", ""], rows);
}

function verificationTable(figures: GasFigures): string {
  const row = (name: string, gasOf: (form: Form, fork: ForkFigures) => string) => [
    name,
    ...columns((fork, form) => gasOf(form, figures[fork])),
  ];
  return markdownTable(
    ["", ...columns((fork, form) => `${FORK_NAMES[fork]}, ${FORM_NAMES[form]}`)],
    [
      row("all, hashing contract cold", (form, { verification }) => sample(verification[form].cold)),
      row("all, accounts warm", (form, { verification }) => sample(verification[form].warm)),
      row("SHA-512 of 138 bytes", (form, { verification }) => sample(verification[form].hashing)),
      row("curve and the rest", (form, { verification }) => {
        const { warm, hashing } = verification[form];
        return number(warm.mean - hashing.mean - WARM_CALL_GAS);
      }),
    ],
  );
}

function sampleSentence(figures: GasFigures): string {
  const samples = HARDFORKS.flatMap((fork) =>
    FORMS.flatMap((form) => Object.values(figures[fork].verification[form]) as Sample[]),
  );
  const count = `${SIGNATURES_OF_A_KEY * SIGNERS.length} signatures of ${SIGNERS.length} keys`;
  return samples.every(({ least, most }) => least === most)
    ? `Each of ${count} takes the same.`
    : `The mean of ${count}, and where they differ the least and the most.`;
}

function batchTable(figures: GasFigures): string {
  const rows = BATCH_SIZES.map((size) => [
    String(size),
    ...columns((fork, form) => {
      const gas = each(figures[fork].batches[form][size], size);
      return gas === null ? DOES_NOT_FIT : number(gas);
    }),
  ]);
  return markdownTable(["signatures", ...columns((fork, form) => `${FORK_NAMES[fork]}, ${FORM_NAMES[form]}`)], rows);
}

function hashingTable(figures: GasFigures): string {
  const row = (name: string, gasOf: (figures: ForkFigures["sha512"]) => number) => [
    name,
    ...HARDFORKS.map((fork) => number(gasOf(figures[fork].sha512))),
  ];
  return markdownTable(
    ["for each message of 138 bytes", ...HARDFORKS.map((fork) => FORK_NAMES[fork])],
    [
      row("Sha512Of138Bytes", ({ of138Bytes }) => of138Bytes),
      row("Sha512OfTwo138Bytes, half of a call", ({ ofTwo138Bytes }) => Math.ceil(ofTwo138Bytes / 2)),
      row("Sha512Hasher, which takes any length", ({ anyLengthOf138Bytes }) => anyLengthOf138Bytes),
    ],
  );
}

function lengthTable(figures: GasFigures): string {
  const rows = OTHER_LENGTHS.map((length) => [
    String(length),
    ...columns((fork, form) => number(figures[fork].otherLengths[form][length])),
  ]);
  return markdownTable(
    ["bytes of message", ...columns((fork, form) => `${FORK_NAMES[fork]}, ${FORM_NAMES[form]}`)],
    rows,
  );
}

function deploymentTable(figures: GasFigures): string {
  const row = (name: string, gasOf: (figures: ForkFigures) => DeploymentGas | undefined) => [
    name,
    number(gasOf(figures.osaka)?.calldataBytes),
    ...HARDFORKS.map((fork) => number(gasOf(figures[fork])?.atMost)),
  ];
  return markdownTable(
    ["transaction", "bytes of calldata", ...HARDFORKS.map((fork) => FORK_NAMES[fork])],
    [
      ...Object.keys(figures.osaka.deployment).map((label) => row(label, ({ deployment }) => deployment[label])),
      row("register another key", ({ registration }) => registration.ofNewKey),
      row("register a key again", ({ registration }) => registration.ofRegisteredKey),
    ],
  );
}

function updateTable(updates: UpdateFigures): string {
  const rows = FEEDS.flatMap((feeds) =>
    FORMS.flatMap((form) =>
      UPDATE_COUNTS.map((count) => {
        const gas = updates[feeds][form][count];
        const name = [`${FEED_NAMES[feeds]}, ${FORM_NAMES[form]}`, String(count)];
        if (!gas) return [...name, DOES_NOT_FIT, "", "", "", ""];
        const { transaction, calldata, execution, verification } = gas;
        return [...name, ...[transaction, each(transaction, count), calldata, execution, verification].map(number)];
      }),
    ),
  );
  return markdownTable(["", "updates", "transaction", "for each", "calldata", "execution", "of it verification"], rows);
}

function describeSettings({ viaIR, evmVersion, optimizer }: CompilerSettings): string {
  return `${viaIR ? "via IR" : "without IR"}, optimizer with ${number(optimizer.runs)} runs, for ${evmVersion}`;
}

/** What is made of the figures, once where hard forks do not differ in it. */
function byHardfork(figures: GasFigures, textOf: (figures: ForkFigures) => string): string {
  const texts = HARDFORKS.map((fork) => ({ name: FORK_NAMES[fork], text: textOf(figures[fork]) }));
  const [first] = texts;
  if (first !== undefined && texts.every(({ text }) => text === first.text)) {
    return `By the rules of ${texts.map(({ name }) => name).join(" and of ")} alike:\n\n${first.text}`;
  }
  return texts.map(({ name, text }) => `### ${name}\n\n${text}`).join("\n\n");
}

/** A cell for each combination of hard fork and form, in the order of tables. */
function columns<Cell>(cellOf: (fork: Hardfork, form: Form) => Cell): Cell[] {
  return HARDFORKS.flatMap((fork) => FORMS.map((form) => cellOf(fork, form)));
}

function sample({ mean, least, most }: Sample): string {
  return least === most ? number(mean) : `${number(mean)} (${number(least)} … ${number(most)})`;
}
