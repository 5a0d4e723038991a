import { DATE_LENGTH, MESSAGE_LENGTH, type MessageLayout } from "../relayer/message/messageLayout.ts";

/**
 * The layout with all its regions in reverse order. It covers the message as the first one does, and is never the same:
 * feed id and date cannot both stand in the middle.
 */
export function reversedLayout(layout: MessageLayout): MessageLayout {
  const { feedId, price, publishTime, expiry, date, constants, padding } = layout;
  const reversed = <Field extends { readonly offset: number; readonly width: number }>(field: Field): Field => ({
    ...field,
    offset: mirrored(field.offset, field.width),
  });
  return {
    feedId: reversed(feedId),
    price: "exponent" in price ? { ...reversed(price), exponent: reversed(price.exponent) } : reversed(price),
    publishTime: reversed(publishTime),
    expiry: reversed(expiry),
    date: { offset: mirrored(date.offset, DATE_LENGTH) },
    constants: constants.map(({ offset, bytes }) => ({ offset: mirrored(offset, (bytes.length - 2) / 2), bytes })),
    padding: padding.map(({ offset, length }) => ({ offset: mirrored(offset, length), length })),
  };
}

/** Where a region begins when the message is read from its end. */
function mirrored(offset: number, length: number): number {
  return MESSAGE_LENGTH - offset - length;
}
