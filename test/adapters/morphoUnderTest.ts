import { zeroAddress } from "viem";
import type { AdapterUnderTest } from "./adapterUnderTest.ts";

const ONE = 10n ** 18n;

export const morphoPrice: AdapterUnderTest = {
  name: "Morpho Blue's price",
  boundedBy: "age",
  // Both tokens have 18 decimals, and a collateral token stands for one unit: 36 decimals instead of 8.
  valueDue: (price) => price * 10n ** 28n,
  async deploy({ clock, viem }, oracle, feed) {
    const deployToken = async () => {
      await clock.hold();
      return (await viem.deployContract("TokenOfDecimals", [18])).address;
    };
    const collateralToken = await deployToken();
    const loanToken = await deployToken();
    await clock.hold();
    const { address, abi } = await viem.deployContract("MorphoAdapter", [
      {
        oracle: oracle.address,
        ...feed,
        collateralToken,
        loanToken,
        unitsPerToken: ONE,
        loanTokenFeed: zeroAddress,
        loanTokenFeedMaxAge: 0n,
      },
    ]);
    return {
      address,
      abi,
      async read(client) {
        return { value: await client.readContract({ address, abi, functionName: "price" }), decimals: 36 };
      },
    };
  },
};
