import { chainsOf } from "../configuration/chainConfiguration.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import type { InspectedConfiguration } from "../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../configuration/wantedFeeds.ts";
import { configuredClient } from "../configured/configuredClient.ts";
import { type ExaminedPrice, examinePrice } from "../message/examinedPrice.ts";
import type { Feed } from "../message/feedId.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import { askLatestPrices, type LatestAnswer } from "./askLatestPrices.ts";
import { ANY_FEED, type AnswerWithoutKey, askWithoutKey } from "./askWithoutKey.ts";
import { type ExaminedChain, examineChain } from "./chainExamination.ts";
import { once } from "./once.ts";
import { PATIENCE } from "./patience.ts";

export type ExaminationOptions = {
  readonly inspected: InspectedConfiguration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ask the service for every wanted price instead of one of each kind. */
  readonly allMarkets: boolean;
  /** Credits or balance for fewer days are worth a warning; as each of the two has it by default otherwise. */
  readonly enoughDays: number | undefined;
  /** This machine's clock, Unix milliseconds. */
  readonly nowMs: () => bigint;
};

/**
 * What the checks look at. Each piece is fetched when the first check asks for it, and only once; several checks judge
 * the same answer, and none of them costs another credit. A piece that cannot be had throws the same error to each.
 */
export type Examination = ExaminationOptions & {
  readonly configuration: Configuration;
  /** The feeds to carry. */
  readonly wanted: () => readonly Feed[];
  readonly answerWithoutKey: () => Promise<AnswerWithoutKey>;
  /** With the configured key. */
  readonly client: () => ServiceClient;
  /** Of wanted feeds, if there are any. */
  readonly latestAnswers: () => Promise<readonly LatestAnswer[]>;
  /** Every price that came and could be read. */
  readonly prices: () => Promise<readonly ExaminedPrice[]>;
  /** Every chain to deliver to. */
  readonly chains: readonly ExaminedChain[];
};

export function createExamination(options: ExaminationOptions): Examination {
  const { configuration } = options.inspected;
  const wanted = once(() => wantedFeeds(configuration));
  const silent = { debug: () => {}, info: () => {}, warn: () => {} };
  const client = once(() => configuredClient(configuration, silent, PATIENCE));
  // Without a market that could be asked for, the key can be tried all the same.
  const asked = once(() => (configuration.markets?.length ? wanted() : [ANY_FEED]));
  const latestAnswers = once(async () => askLatestPrices(client(), asked(), options));
  return {
    ...options,
    configuration,
    wanted,
    answerWithoutKey: once(() => askWithoutKey(configuration, options.nowMs)),
    client,
    latestAnswers,
    prices: once(async () =>
      (await latestAnswers())
        .flatMap(({ latest }) => latest?.received ?? [])
        .map((received) => examinePrice(received, configuration)),
    ),
    chains: chainsOf(configuration).map(examineChain),
  };
}
