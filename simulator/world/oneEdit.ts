/** Whether one text becomes the other by at most one letter changed, added or left out, or two neighbours swapped. */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  if (short.length < long.length) return short.slice(same) === long.slice(same + 1);
  const isSwapped = short[same] === long[same + 1] && short[same + 1] === long[same];
  return (
    short.slice(same + 1) === long.slice(same + 1) || (isSwapped && short.slice(same + 2) === long.slice(same + 2))
  );
}
