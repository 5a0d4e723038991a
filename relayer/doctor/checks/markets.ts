import { FEED_KINDS } from "../../message/feedId.ts";
import type { SharedCheck } from "../check.ts";
import { ok } from "../finding.ts";

export const marketsCheck: SharedCheck = {
  scope: "shared",
  name: "markets",
  about: "there are markets to carry",
  needs: [],
  keys: ["markets", "kinds"],
  run: ({ wanted }) => {
    const feeds = wanted();
    const counts = FEED_KINDS.map((kind) => `${feeds.filter((feed) => feed.kind === kind).length} ${kind}`);
    return ok(`${feeds.length} feeds are wanted: ${counts.join(", ")}`);
  },
};
