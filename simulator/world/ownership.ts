import type { OperatorName } from "./inventedNames.ts";
import { itemAt } from "./itemAt.ts";
import type { PropertyAttributes, ZipCharacter } from "./propertyAttributes.ts";
import type { RandomSequence } from "./randomSequence.ts";

/**
 * Who owns a property at a time; one object for the whole time. Of an `unknown` owner nobody knows whether it is an
 * investor. Operators are the investors with a name.
 */
export type Owner = {
  readonly kind: "occupant" | "investor" | "operator" | "unknown" | "builder";
  readonly operator: OperatorName | null;
};

export function firstOwner(attributes: PropertyAttributes, character: ZipCharacter, chance: RandomSequence): Owner {
  return attributes.isBuiltInHistory ? owner("builder") : buyer(attributes, character, chance);
}

/** The owner after a transfer of a kind. */
export function ownerAfter(
  transfer: string,
  seller: Owner,
  attributes: PropertyAttributes,
  character: ZipCharacter,
  chance: RandomSequence,
): Owner {
  switch (transfer) {
    case "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER":
      return seller;
    case "NON_ARMS_LENGTH_TRANSFER":
      // Within a family, or into a trust.
      return owner(seller.kind);
    case "SOLD_INTER_PORTFOLIO_TRANSFER":
      return operator(
        character.operators.filter((name) => name !== seller.operator),
        chance,
      );
    default:
      return buyer(attributes, character, chance);
  }
}

/** Operators buy houses only, where they are present. */
function buyer({ propertyType }: PropertyAttributes, { operators }: ZipCharacter, chance: RandomSequence): Owner {
  const u = chance.next();
  const isForOperators = propertyType === "SINGLE_FAMILY" || propertyType === "TOWNHOUSE";
  if (u < 0.12 && isForOperators && operators.length > 0) return operator(operators, chance);
  if (u < 0.3) return owner("investor");
  return owner(u < 0.34 ? "unknown" : "occupant");
}

function operator(names: readonly OperatorName[], chance: RandomSequence): Owner {
  return { kind: "operator", operator: itemAt(names, chance.integer(0, names.length - 1)) };
}

function owner(kind: Exclude<Owner["kind"], "operator">): Owner;
function owner(kind: Owner["kind"]): Owner;
function owner(kind: Owner["kind"]): Owner {
  return { kind, operator: null };
}
