import type { Check } from "./check.ts";
import { alertsCheck } from "./checks/alerts.ts";
import { apiAddressCheck } from "./checks/apiAddress.ts";
import { apiKeyCheck } from "./checks/apiKey.ts";
import { balanceCheck } from "./checks/balance.ts";
import { budgetCheck } from "./checks/budget.ts";
import { chainIdCheck } from "./checks/chainId.ts";
import { clockCheck } from "./checks/clock.ts";
import { configurationCheck } from "./checks/configuration.ts";
import { editionCheck } from "./checks/edition.ts";
import { environmentCheck } from "./checks/environment.ts";
import { feedsCheck } from "./checks/feeds.ts";
import { feesCheck } from "./checks/fees.ts";
import { finalityCheck } from "./checks/finality.ts";
import { limitsCheck } from "./checks/limits.ts";
import { marketsCheck } from "./checks/markets.ts";
import { messageCheck } from "./checks/message.ts";
import { oracleCheck } from "./checks/oracle.ts";
import { oracleLayoutCheck } from "./checks/oracleLayout.ts";
import { oracleSettingsCheck } from "./checks/oracleSettings.ts";
import { oracleSignerCheck } from "./checks/oracleSigner.ts";
import { ownerCheck } from "./checks/owner.ts";
import { planCheck } from "./checks/plan.ts";
import { pricesCheck } from "./checks/prices.ts";
import { responseFieldsCheck } from "./checks/responseFields.ts";
import { rpcCheck } from "./checks/rpc.ts";
import { scheduleCheck } from "./checks/schedule.ts";
import { senderKeyCheck } from "./checks/senderKey.ts";
import { signatureCheck } from "./checks/signature.ts";
import { signerKeyCheck } from "./checks/signerKey.ts";
import { storeCheck } from "./checks/store.ts";

/**
 * Every check, in the order in which they are told: first what concerns everything, then what concerns each chain. What a
 * check needs stands before it.
 */
export const ALL_CHECKS: readonly Check[] = [
  configurationCheck,
  environmentCheck,
  scheduleCheck,
  storeCheck,
  alertsCheck,
  marketsCheck,
  apiAddressCheck,
  apiKeyCheck,
  planCheck,
  limitsCheck,
  responseFieldsCheck,
  pricesCheck,
  messageCheck,
  signerKeyCheck,
  signatureCheck,
  editionCheck,
  clockCheck,
  rpcCheck,
  chainIdCheck,
  finalityCheck,
  oracleCheck,
  oracleSettingsCheck,
  oracleSignerCheck,
  oracleLayoutCheck,
  feedsCheck,
  senderKeyCheck,
  ownerCheck,
  feesCheck,
  budgetCheck,
  balanceCheck,
];
